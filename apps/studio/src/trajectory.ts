// Trajectories: a CSV file with a column for each joint and a row for each configuration, as `superovoid check` reads.
import type { RobotParts } from "./core";
import { shortened } from "./link";

const MOST_ROWS = 1_000_000;

/** Returns the configurations of a text; joints without a column keep the given positions. */
export function readTrajectory(text: string, robot: RobotParts, positions: number[]): number[][] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length < 2) throw new Error("the trajectory has no rows: a line of joint names and lines of numbers are needed");
  if (lines.length - 1 > MOST_ROWS) throw new Error(`the trajectory has more than ${MOST_ROWS} rows`);
  const words = (line: string) => line.split(",").map((word) => word.trim().replace(/^"(.*)"$/, "$1"));
  const header = words(lines[0]);
  const places = header.map((name, column) => {
    if (header.indexOf(name) !== column) throw new Error(`the trajectory has two columns “${shortened(name)}”`);
    const joint = robot.joints.find((joint) => joint.name === name);
    if (!joint) throw new Error(`the trajectory's column “${shortened(name)}” is no joint of ${robot.name}`);
    if (joint.count !== 1) throw new Error(`the joint “${name}” has ${joint.count} numbers; a column can hold one`);
    return joint.first;
  });
  return lines.slice(1).map((line, row) => {
    const numbers = words(line).map((word) => (word === "" ? Number.NaN : Number(word)));
    if (numbers.length !== header.length || !numbers.every(Number.isFinite)) {
      throw new Error(`the trajectory's line ${row + 2} must be ${header.length} numbers`);
    }
    const configuration = [...positions];
    places.forEach((place, k) => (configuration[place] = numbers[k]));
    return configuration;
  });
}
