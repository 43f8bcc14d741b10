//! Robots to export.

use std::path::{Path, PathBuf};

/// Every kind of shape and nearly every kind of joint; an empty root, a flange without mass, an inertia that is turned,
/// and a joint that mimics.
pub const EVERYTHING: &str = r#"<robot name="everything">
  <link name="base_link"/>
  <link name="torso">
    <inertial>
      <origin xyz="0.1 0.2 0.3" rpy="0.3 -0.4 1.1"/><mass value="2.5"/>
      <inertia ixx="0.05" ixy="0.002" ixz="-0.001" iyy="0.04" iyz="0.003" izz="0.06"/>
    </inertial>
    <visual><geometry><box size="0.1 0.2 0.3"/></geometry><material name="red"/></visual>
    <collision name="trunk"><origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
    <collision name="trunk"><geometry><sphere radius="0.11"/></geometry></collision>
  </link>
  <link name="upper arm">
    <collision>
      <origin xyz="0.02 0 0.2" rpy="0.5 0 1"/>
      <geometry><sphere radius="0.3"/></geometry>
      <superovoid a1="0.05" a2="0.04" a3="0.2" e1="0.5" e2="0.7" tx="0.2" ty="-0.1"/>
    </collision>
    <collision><geometry><capsule radius="0.03" length="0.1"/></geometry></collision>
  </link>
  <link name="forearm">
    <visual>
      <geometry><sphere radius="0.3"/></geometry>
      <superovoid a1="0.05" a2="0.04" a3="0.1" e1="1" e2="1" tx="0" ty="0"/>
    </visual>
    <collision>
      <origin xyz="0 0.01 0.2"/>
      <geometry><sphere radius="0.3"/></geometry>
      <superovoid a1="0.05" a2="0.04" a3="0.1" e1="1" e2="1" tx="0" ty="0"/>
    </collision>
  </link>
  <link name="flange"/>
  <link name="left"><collision><geometry><cylinder radius="0.01" length="0.05"/></geometry></collision></link>
  <link name="right"><collision><geometry><cylinder radius="0.01" length="0.05"/></geometry></collision></link>
  <link name="camera"/>
  <link name="wheel"><collision><geometry><cylinder radius="0.1" length="0.02"/></geometry></collision></link>
  <material name="red"><color rgba="1 0 0 1"/></material>
  <joint name="mount" type="fixed"><parent link="base_link"/><child link="torso"/><origin xyz="0 0 1" rpy="0 0 0.5"/></joint>
  <joint name="shoulder" type="revolute"><parent link="torso"/><child link="upper arm"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><axis xyz="1 2 -2"/>
    <limit lower="-1.5" upper="2" effort="30" velocity="2"/><dynamics damping="0.3" friction="0.1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper arm"/><child link="forearm"/>
    <origin xyz="0 0 0.4" rpy="0 1.5707963267948966 0"/><axis xyz="0 1 0"/></joint>
  <joint name="flange" type="fixed"><parent link="forearm"/><child link="flange"/><origin xyz="0 0.1 0.3" rpy="1 0 0"/></joint>
  <joint name="grip" type="prismatic"><parent link="flange"/><child link="left"/>
    <origin xyz="0 0.02 0"/><axis xyz="0 3 0"/><limit lower="0" upper="0.05" effort="5" velocity="1"/></joint>
  <joint name="follow" type="prismatic"><parent link="flange"/><child link="right"/>
    <origin xyz="0 -0.02 0"/><axis xyz="0 1 0"/><limit lower="-0.1" upper="0.1" effort="5" velocity="1"/>
    <mimic joint="grip" multiplier="-1.5" offset="0.01"/></joint>
  <joint name="look" type="fixed"><parent link="base_link"/><child link="camera"/><origin xyz="0.3 0 0"/></joint>
  <joint name="spin" type="continuous"><parent link="camera"/><child link="wheel"/><origin xyz="0 0 0.1"/><axis xyz="0 0 -1"/></joint>
</robot>"#;

/// The robots of the repository, and every sixth of `SUPEROVOID_URDF_DIR`: each takes the readers a second.
pub fn files() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../urdf");
    let mut found = found_in(&own);
    assert!(found.len() >= 4, "{found:?}");
    if let Some(folder) = std::env::var_os("SUPEROVOID_URDF_DIR") {
        found.extend(found_in(Path::new(&folder)).into_iter().step_by(6));
    }
    found
}

fn found_in(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "urdf") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
