//! The cases of MuJoCo: engine_collision_gjk_test, _box_test, _convex_test, _driver_test, _continuous_test, engine_ray_test.

use super::{
    Cases, Cast, DOWN, Known, O, Solid, X, Y, Z, at, ball, box_hull, capsule, corners, cuboid,
    cylinder, ellipsoid, half_space, hull, point, posed, quaternion, scaled, searched, segment,
    triangle, turned,
};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, SQRT_2};
use superovoid::bvh::HeightField;

/// Pairs of boxes: half the edges, the centre and the quaternion [w, x, y, z] of each.
macro_rules! posed_boxes {
    ($($name:literal: $half:expr, $at:expr, $turn:expr; $other_half:expr, $other_at:expr, $other_turn:expr;)*) => {
        [$(($name, [($half, $at, $turn), ($other_half, $other_at, $other_turn)])),*]
    };
}

type PosedBox = ([f64; 3], [f64; 3], [f64; 4]);

/// Boxes of engine_collision_gjk_test and engine_collision_box_test.
const BOXES: [(&str, [PosedBox; 2]); 30] = posed_boxes! {
    "BoxBoxDepth2":
        [5.0, 5.0, 0.1], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0];
        [1.0, 1.0, 1.0], [-0.00017120857750729172, -0.0001712085775072909, 1.0671195862485539],
            [0.9999999830197214, 0.0001303083976013338, -0.00013030839760133498, -6.163653721038188e-19];
    "BoxBoxDepth3":
        [0.25, 0.25, 0.05], [-0.0153464999999992, -0.023505500000000002, -4.562296442400121],
            [0.9914448613738104, 1.0690866476217171e-16, -1.0877892340364333e-17, 0.13052619222005157];
        [0.25, 0.25, 0.05], [-0.015346499999999798, -0.0235055, -4.659230360891631],
            [0.9659258262890683, 1.295194790363352e-16, -2.50161599452574e-17, 0.25881904510252074];
    "BoxBoxSize05":
        [0.5, 0.5, 0.5], [9.724202e-09, -1.4139289e-08, 7.369161128997803],
            [0.9999999999999993, -8.568097249999995e-09, -2.5452832499999984e-08, -2.3644939999999982e-08];
        [0.5, 0.5, 0.5], [1.3445962e-08, -1.9194527e-08, 8.26449203491211],
            [1.0, 6.0195085e-09, 4.47301e-09, 6.863475e-09];
    "BoxBoxSize05b":
        [0.5, 0.5, 0.5], [9.62082822e-07, -1.747370789e-06, 3.469238519668579],
            [0.9999999999998177, 5.721038859998957e-07, 1.9349758399996472e-07, 4.382255999999201e-09];
        [0.5, 0.5, 0.5], [2.897753802e-06, -4.625266229e-06, 4.435211658477783],
            [0.9999999999997742, 6.648274394998499e-07, -9.816059799997783e-08, -1.6567712499996257e-09];
    "BoxBoxSize05c":
        [0.5, 0.5, 0.5], [1.88941314e-07, -1.95227585e-07, 0.497281551361084],
            [0.999999999999994, 7.132845799999957e-08, 8.41574914999995e-08, 2.851389999999983e-10];
        [0.5, 0.5, 0.5], [9.53407323e-07, -9.23845278e-07, 1.493984460830688],
            [0.9999999999995046, 5.87319334499709e-07, 8.037874294996018e-07, 2.977599999998525e-11];
    "BoxBoxMultiCCD3":
        [5.0, 5.0, 0.1], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0];
        [1.0, 1.0, 1.0], [-0.9412186185918694, 2.209729011624416, 1.0954567026303823],
            [0.7071119626921537, -0.7071015312441655, 0.00022507093989091308, -0.00021464593856011888];
    "BoxBoxMultiCCD4":
        [0.25, 0.25, 0.05], [-0.015346718925143525, -0.023500448793229847, -4.85938271725998],
            [0.8660436613039798, -7.890324040021665e-06, -4.125926784029774e-06, 0.4999683756358168];
        [0.25, 0.25, 0.05], [-0.015347749710384112, -0.023500601273213628, -4.958782854594746],
            [0.9999999998621066, -3.207296992915521e-07, -2.2457438366990588e-08, 1.660371039009002e-05];
    "BoxBoxMultiCCD5":
        [0.25, 0.25, 0.05], [-0.015381524498156992, -0.02352793189039658, -4.559214004409498],
            [0.9914522275209193, -5.7661191204256484e-05, -9.143793004152114e-05, 0.1304701837896275];
        [0.25, 0.25, 0.05], [-0.015358668590921718, -0.023542070504611382, -4.659108354876987],
            [0.9659390580798836, -6.64424068942056e-05, -8.089133438254004e-05, 0.2587696371635323];
    "BoxBoxMultiCCD6":
        [0.5, 0.5, 0.1], [0.0, 0.0, -0.1], [1.0, 0.0, 0.0, 0.0];
        [0.1, 0.1, 0.1], [0.413029898172642, 0.19077771529313514, 0.10000665801741174],
            [0.5419328129794778, -0.0002484345911473932, -0.00043395697609303294, 0.840421665699872];
    "BoxBoxMultiCCD7":
        [0.25, 0.25, 0.05], [-0.002020740254618143, -0.022654384848980465, -4.8585429021443245],
            [0.8610606168978197, 0.0007618668358062247, 0.0011895341227834402, 0.5085003624335401];
        [0.25, 0.25, 0.05], [-0.011066235018223425, -0.023114696036485725, -4.958375812037025],
            [0.9999962833955216, 9.889200419064303e-06, 0.0006533082172004549, 0.0026469389340852195];
    "BoxBoxMultiCCD8":
        [0.25, 0.25, 0.05], [-0.0153465, -0.0235055, -4.859662640000005], [1.0, 0.0, 0.0, 0.0];
        [0.25, 0.25, 0.05], [-0.0153465, -0.0235055, -4.9585742896728355], [1.0, 7.6809698826755e-18, 0.0, 0.0];
    "BoxBoxMultiCCD9":
        [0.025, 0.025, 0.025], [-0.10714000000000003, -0.19285999999999998, 0.17499515245649172],
            [1.0, 1.5104257344203633e-18, 9.63857719926954e-20, 2.67455e-36];
        [0.025, 0.025, 0.025], [-0.10714000000000003, -0.19285999999999998, 0.21562591877938536],
            [1.0, -7.793087911131992e-17, -3.247893738706344e-17, 6.776120999999998e-34];
    "BoxBoxMultiCCD10":
        [0.025, 0.025, 0.025], [-0.103486, -0.07651400000000003, 0.12576287454564056], [1.0, 0.0, 0.0, 0.0];
        [0.025, 0.025, 0.025], [-0.103486, -0.07651400000000003, 0.17513999999999996], [1.0, 0.0, 0.0, 0.0];
    "BoxBoxMultiCCD11":
        [0.025, 0.025, 0.025], [-0.103655, -0.19634500000000002, 0.12476850384683685],
            [1.0, 6.964218698575883e-19, 0.0, 0.0];
        [0.025, 0.025, 0.025], [-0.103655, -0.19634500000000002, 0.17452484978974378],
            [1.0, 9.44263417730289e-19, 0.0, 0.0];
    "BoxBoxMultiCCD12":
        [0.025, 0.025, 0.025], [0.016429999999999986, -0.07643000000000003, 0.1252706891962387],
            [1.0, 1.607719173913897e-18, 0.0, 0.0];
        [0.025, 0.025, 0.025], [0.016429999999999986, -0.07643000000000003, 0.17483742489487186],
            [1.0, 9.498801151026275e-19, 0.0, 0.0];
    "BoxBoxMultiCCD13":
        [0.02, 0.02, 0.02], [-0.1, -0.2, -0.08099218107600015],
            [1.0, -1.0505236624709894e-19, -1.2256177010209723e-16, 6.832251775000001e-32];
        [0.02, 0.02, 0.02], [-0.1, -0.2, -0.04183966952864324],
            [1.0, -6.863126699854088e-18, -1.2786298727318832e-16, 3.7893901275e-32];
    "BoxBoxMultiCCD14":
        [0.02, 0.02, 0.02], [0.00020512571331614737, 5.179315738088348e-06, -0.0800031938952458],
            [0.999999999507739, -3.8557430129400256e-07, -3.0069476980433953e-05, -8.955445941013101e-06];
        [0.02, 0.02, 0.02], [0.0002145111032389044, -5.133899975136876e-06, -0.040005900962563914],
            [0.9999999901402875, -6.194243263075387e-06, -0.0001399778090219625, 9.341795685386542e-06];
    "BoxBoxMultiCCD15":
        [0.5, 0.5, 0.1], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0];
        [0.025, 0.025, 0.025], [0.0520339831709862, -0.0520339831709862, 0.124986477196217],
            [0.9999999999233207, -8.837601853206189e-06, -8.675002390435656e-06, -4.545662457207196e-12];
    "BoxEdge2":
        [1.0, 1.0, 1.0], [0.000557860297929612, 0.00986459500897836, 1.1037596929447946],
            [0.9999983865666077, -0.0014873072601022277, -0.00047156858357994474, 0.0008901709760853953];
        [1.0, 1.0, 1.0], [-0.021811935945573104, 0.9828851949225972, 3.0930077345364815],
            [0.7060859237250877, -0.04218461916848396, 0.7059811418197364, -0.03540838343953406];
    "BoxEdgeEdge":
        [0.15, 1.0, 3.0], [-1.3241298058948088, 7.148993364299687e-19, 2.814152615358873],
            [0.9793564020209227, -1.181835341229408e-19, 0.2021411334207683, -5.7959751160308425e-21];
        [0.15, 1.0, 3.0], [1.324129805894809, -8.679606505055749e-19, 2.814152615358873],
            [0.9793564020209227, 1.1695567483391572e-19, -0.2021411334207683, -6.132747974567919e-20];
    "BoxBoxLarge":
        [50.0, 50.0, 0.25], [0.0, 0.0, 0.25], [1.0, 0.0, 0.0, 0.0];
        [0.1, 0.1, 0.1], [-4.3537e-11, -1.2973e-11, 0.59924578666687], [1.0, 8.9385e-12, -8.38205e-11, 2.283e-12];
    "ThinBoxGrazing":
        [0.015108062742470629, 0.00020768330936692047, 0.0003370847939841523], [0.0, 0.0, 0.0],
            [0.006926782312947504, 0.8418375832963042, 0.43965390389996556, -0.31299512427855336];
        [0.0022889234034685867, 0.00039019141130537644, 0.0006694374594598523],
            [-0.004522410871927232, -0.009955852699440446, 0.00749543399075938],
            [-0.37523931185419207, 0.5500398298146973, 0.707770238133638, -0.2360358753852145];
    "ThinBoxNoSpuriousDeepContact":
        [0.047, 0.032, 0.00035], [2.821825771308448e-05, -0.013292121195706197, 0.02925607203779027],
            [0.8413078708224405, 0.5405489850449948, 0.0015299333749655413, 0.002349587816151039];
        [0.047, 0.032, 0.00035], [-5.352194487262811e-05, 0.01427117523229726, 0.029254416229696868],
            [0.8413227886432264, -0.5405328371688882, 0.00024615852936852315, -0.00039580009650069315];
    "ThinBoxShallowPenetration":
        [0.0004435946851825113, 0.0019427705390657074, 0.0005671679001576571], [0.0, 0.0, 0.0],
            [0.28720146798163904, -0.08356181000090748, -0.5185345971782723, 0.8010334651109969];
        [0.0006228817555532632, 0.0010906336314477707, 0.00030803275652456415],
            [-0.0011513383735175778, -0.0013813387665010076, -0.00043818094448460645],
            [0.5158897735854452, 0.6344510664489523, 0.5096216111120138, -0.26761053656263345];
    "ThinBoxTunneledPenetration, face":
        [0.10375412296887962, 0.0014208822825842824, 0.029838770510023913], [0.0, 0.0, 0.0],
            [-0.1806468116522028, -0.38732117424997786, 0.11417869384387985, 0.8968345796687466];
        [0.004773870482716396, 0.0007140947854610601, 0.0045937794963772805],
            [0.027189909560778446, 0.003935055006556199, -0.005523247607722875],
            [-0.2982961646559716, 0.8451955220617328, 0.23968520782082428, -0.373115168266074];
    "ThinBoxTunneledPenetration, edges":
        [0.034760484829104925, 0.0007121346731259294, 0.005931487330397722], [0.0, 0.0, 0.0],
            [0.5866436682665767, 0.3999167118422233, 0.24085697266687636, -0.6617429627807058];
        [0.013576183806600434, 0.008216226332206124, 0.0011680617239575811],
            [0.004439242064513605, -0.004176748325073057, 0.0007814051151228268],
            [-0.35168496783547554, 0.48328103093900215, 0.12063144050164629, -0.792593959159161];
    "EdgeContactAtDepthBound 1":
        [0.018352361395955086, 0.038452208042144775, 0.047704100608825684], [0.0, 0.0, 0.0],
            [-0.9009177684783936, -0.42279955744743347, 0.09701432287693024, -0.013262901455163956];
        [0.026817722246050835, 0.0014398059574887156, 0.008226536214351654],
            [-0.02632516250014305, 0.03075334243476391, 0.02338058315217495],
            [0.239192396402359, 0.05607346072793007, 0.9122782945632935, 0.3277057707309723];
    "EdgeContactAtDepthBound 2":
        [0.044790275394916534, 0.005722186993807554, 0.00495378952473402], [0.0, 0.0, 0.0],
            [0.040385473519563675, 0.7518953680992126, -0.5543022155761719, 0.3546428084373474];
        [0.026496950536966324, 0.01980442740023136, 0.005734471138566732],
            [0.009404403157532215, 0.020275400951504707, -0.017358051612973213],
            [-0.6716417670249939, 0.08577035367488861, 0.6968343257904053, -0.23656430840492249];
    "ShallowOverlapSurvivesRounding":
        [0.07661046832799911, 0.21989625692367554, 0.0005179486470296979], [0.0, 0.0, 0.0],
            [-0.599370002746582, 0.08237090706825256, -0.38643673062324524, 0.6961590051651001];
        [0.02934698574244976, 0.00031350101926364005, 0.1565844863653183],
            [0.1099575087428093, 0.06743335723876953, -0.27263233065605164],
            [0.05186958238482475, -0.7553620338439941, 0.6043813228607178, 0.24791309237480164];
    "BoxEdgeFlipped":
        [0.65, 0.48, 0.04], [1.10164554, -0.11389316, 0.74], [-0.348312918, 0.0, 0.0, 0.937378318];
        [0.1, 1.2, 1.4], [1.4, 0.0, 1.425], [1.0, 0.0, 0.0, 0.0];
};

/// engine_collision_gjk_test and engine_collision_box_test, and the models that they load.
#[test]
fn boxes_of_mujoco() {
    let mut cases = Cases::default();
    for (name, boxes) in BOXES {
        let [a, b] = boxes.map(|(half, place, q)| (cuboid(half), posed(place, quaternion(q))));
        let distance = cases.by_axes(name, (&a.0, a.1), (&b.0, b.1));
        // Which of them are apart is known.
        let apart = ["ThinBoxGrazing", "ThinBoxNoSpuriousDeepContact"].contains(&name);
        assert_eq!(distance > 0.0, apart, "{name} {distance:e}");
    }
    let unit = cuboid([1.0; 3]);
    // Faces along x: 1.5 − 1 and −1 + 2.5; between x = −0.5 and 0.5; 2 apart along y and half as long.
    contacts! { cases:
        "BoxBoxDepth", (&cuboid([2.5; 3]), at([-1.0, 0.0, 0.0])), (&unit, at([1.5, 0.0, 0.0])) => -1.0, X;
        "BoxBox", (&unit, at([-1.5, 0.5, 0.0])), (&unit, at([1.5, 0.0, 0.0])) => 1.0, X;
    }
    let height = 1.8599132000000014;
    contacts! { cases:
        "BoxBoxTouching", (&unit, at([0.0, 0.0, height])), (&unit, at([0.0, 2.0, height])) => 0.0, Y;
    }
    // The bottom at 0.9, the top of the plate at 1.
    let plate = cuboid([10.0, 10.0, 1.0]);
    for (name, place) in [
        ("BoxBoxMultiCCD", [0.0, 0.0, 1.9]),
        ("BoxBoxMultiCCD2", [9.5, 9.5, 1.9]),
    ] {
        contacts! { cases:
            name, (&unit, at(place)), (&plate, at(O)) => -0.1, DOWN;
        }
    }
    // Tops and bottoms: 1 + 0.2 − 0.3, 1 + 1 − 2, 1 + 1 − 1.5, 3 − 3, 7 − 7.
    contacts! { cases:
        "boxbox_deep", (&unit, at(O)), (&cuboid([0.2; 3]), at([0.1, 0.2, 0.3])) => -0.9, Z;
        "boxbox_duplicate", (&unit, at(O)), (&unit, at([0.0, 0.0, 2.0])) => 0.0, Z;
        "BoxBoxContactDistance", (&unit, at(O)), (&unit, at([0.0, 0.0, 1.5])) => -0.5, Z;
    }
    let (tall, wide) = (cuboid([0.5, 0.5, 1.5]), cuboid([1.5, 0.5, 0.5]));
    contacts! { cases:
        "boxbox_bad0", (&tall, at([-0.9, 0.0, 1.5])), (&wide, at([-0.7, 0.0, 3.5])) => 0.0, Z;
        "boxbox_bad0", (&tall, at([0.3, 0.0, 5.5])), (&wide, at([0.2, 1e-9, 7.5])) => 0.0, Z;
    }
    // A plank's top at 0.04 + 0.005, the die's bottom at 0.055 − 0.01.
    let plank = posed([-0.23, -0.1, 0.04], turned(Z, PI / 6.0));
    let die = posed([-0.3, -0.14, 0.055], turned(Z, -PI / 6.0));
    contacts! { cases:
        "boxbox_bad1", (&cuboid([0.1, 0.02, 0.005]), plank), (&cuboid([0.01; 3]), die) => 0.0, Z;
    }
    // 12.8 mm apart, 5 mm to each side.
    let sheet = cuboid([0.005, 0.01, 0.3]);
    contacts! { cases:
        "InGapContactsMultiGeomBody", (&sheet, at([-0.015, 0.0, 0.0])),
            (&sheet, at([-0.0022, 0.0, 0.0])) => 0.0028, X;
        // Any two faces of concentric boxes; a small one, pushed out through the face ahead.
        "ConcentricAndContainedBoxes", (&unit, at(O)), (&unit, at(O)) => -2.0, None;
    }
    for k in 0..3 {
        for offset in [
            -1.3, -1.2, -0.81, -0.8, -0.79, -0.5, 0.5, 0.79, 0.8, 0.81, 1.2, 1.3f64,
        ] {
            let mut place = O;
            place[k] = offset;
            let distance = offset.abs() - 1.2;
            contacts! { cases:
                "ConcentricAndContainedBoxes", (&unit, at(O)), (&cuboid([0.2; 3]), at(place)) => distance, place;
            }
        }
    }
    let small = cuboid([0.1; 3]);
    // On an edge: half a diagonal above the face, less 5 mm. Turned a quarter: less 2 mm.
    let edge = posed([0.0, 0.0, 0.1 + 0.1 * SQRT_2 - 0.005], turned(Y, FRAC_PI_4));
    contacts! { cases:
        "CanonicalFaceAndEdgeAlignments", (&small, at(O)), (&small, edge) => -0.005, Z;
    }
    let quarter = posed([0.0, 0.0, 0.198], turned(Z, FRAC_PI_2));
    contacts! { cases:
        "CanonicalFaceAndEdgeAlignments", (&small, at(O)), (&small, quarter) => -0.002, Z;
    }
    for decade in -9..=-2 {
        let die = cuboid([0.05; 3]);
        let tilted = posed(
            [0.0, 0.0, 0.1 - 1e-5],
            turned([1.0, 0.5, 3.0], 10f64.powi(decade)),
        );
        cases.by_axes("NearAlignedManifoldIsExact", (&die, at(O)), (&die, tilted));
    }
    for side in [-1.0, 1.0] {
        // Dominoes that lean against each other, and what they stand on.
        let domino = posed([2.0 * side, 0.0, 2.99], turned(Y, -side * PI / 18.0));
        let other = posed([-2.0 * side, 0.0, 2.99], turned(Y, side * PI / 18.0));
        let tile = cuboid([0.15, 1.0, 3.0]);
        cases.by_axes("edge_edge", (&tile, domino), (&tile, other));
        cases.by_axes(
            "edge_edge",
            (&tile, domino),
            (&cuboid([5.0, 5.0, 0.1]), at([0.0, 0.0, -0.1])),
        );
    }
    cases.done(BOXES.len() + 63);
}

/// The prism of engine_collision_gjk_test, to its scale.
fn pentaprism() -> Solid {
    let ring = [
        [1.0, 0.0],
        [0.309, 0.951],
        [-0.809, 0.588],
        [-0.809, -0.588],
        [0.309, -0.951],
    ];
    let points = [0.0, 0.1].map(|z| ring.map(|[x, y]| [0.2 * x, 0.2 * y, z]));
    hull(&points.concat())
}

/// engine_collision_gjk_test, engine_collision_convex_test, engine_collision_continuous_test,
/// engine_collision_driver_test and models of collision_primitive.
#[test]
fn bodies_of_mujoco() {
    let mut cases = Cases::default();
    let (unit, tenth) = (ball(1.0), ball(0.1));
    // Spheres: the distance of the centres less the radii.
    contacts! { cases:
        "SphereSphereDist", (&unit, at([-1.5, 0.0, 0.0])), (&unit, at([1.5, 0.0, 0.0])) => 1.0, X;
        "SphereSphereIntersect", (&ball(3.0), at([-1.0, 0.0, 0.0])), (&ball(3.0), at([3.0, 0.0, 0.0])) => -2.0, X;
        "FilterParent", (&unit, at([0.0, 0.0, 100.0])), (&unit, at([0.0, 0.0, 99.5])) => -1.5, DOWN;
    }

    // Hulls: the bottom of the small box at 0, the top of the other at 1e-9.
    let (big, small) = (box_hull([0.5, 0.5, 0.1]), box_hull([0.1; 3]));
    contacts! { cases:
        "SmallBoxMesh", (&big, at([0.0, 0.0, -0.099999999])), (&small, at([0.0, 0.0, 0.1])) => -1e-9, Z;
    }
    let (prism, floor) = (pentaprism(), cuboid([3.0, 3.0, 0.01]));
    let lying = posed([0.0, 0.0, 0.157], turned(Y, -FRAC_PI_2));
    // The prism's lowest edge is 0.2 · 0.809 below its place.
    contacts! { cases:
        "BoxMesh", (&prism, lying), (&floor, at([0.0, 0.0, -0.01])) => 0.157 - 0.2 * 0.809, DOWN;
        "BoxMesh2", (&prism, at([0.0, 0.0, -0.001])), (&floor, at([0.0, 0.0, -0.01])) => -0.001, DOWN;
        "MeshMesh", (&box_hull([1.0, 1.0, 0.01]), at([0.0, 0.0, -0.01])),
            (&prism, at([0.0, 0.0, -0.001])) => -0.001, Z;
    }
    // Boxes and hulls of the same corners, one of them turned by 40° about its own z, which lies: its lowest edge is
    // cos 40° + sin 40° below its centre at 4.4, and the top of the other is at 3.
    let angle = 40.0 * PI / 180.0;
    let tilted = posed([0.0, 0.0, 4.4], turned(Y, FRAC_PI_2) * turned(Z, angle));
    let reach = angle.cos() + angle.sin();
    for cube in [cuboid([1.0; 3]), box_hull([1.0; 3])] {
        contacts! { cases:
            "BoxEdge, MeshEdge", (&cube, at([0.0, 0.0, 2.0])), (&cube, tilted) => 4.4 - reach - 3.0, Z;
        }
    }
    // The top of the floor at 1, the centre of the cube as well: its lowest edge is cos 5° + sin 5° below.
    let leaning = posed([2.0, 0.0, 1.0], turned(Y, PI / 36.0));
    let depth = (PI / 36.0).cos() + (PI / 36.0).sin();
    contacts! { cases:
        "MeshEdge2", (&cuboid([6.0, 6.0, 2.0]), at([0.0, 0.0, -1.0])), (&box_hull([1.0; 3]), leaning) => -depth, Z;
    }
    let base = (cuboid([1.0, 1.0, 0.3]), at([0.0, 0.0, -0.3]));
    let long = posed([0.0, 0.0, 0.02], turned(Z, angle));
    contacts! { cases:
        "LongBox", (&base.0, base.1), (&box_hull([0.6, 0.03, 0.03]), long) => -0.01, Z;
    }

    // Parallel capsules: 0.6 beside, and from −0.1 to 0.3 along the axis.
    let (thick, thin) = (capsule(0.15, 0.3), capsule(0.1, 0.1));
    let places = [at([-0.3, 0.2, -0.4]), at([0.3, 0.2, 0.4])];
    contacts! { cases:
        "CapsuleCapsule", (&thick, places[0]), (&thin, places[1]) => 0.6f64.hypot(0.4) - 0.25, [0.6, 0.0, 0.4];
    }

    // Cylinders: ends 0.03 and 0.02 from their places, the top of the base at 0; 0.265 − 0.05 − 0.2.
    contacts! { cases:
        "CylinderBox", (&base.0, base.1), (&cylinder(0.4, 0.03), at([0.0, 0.0, 0.02])) => -0.01, Z;
    }
    let block = (cuboid([0.4, 0.4, 0.46]), at([0.0, 0.0, -0.46]));
    contacts! { cases:
        "FramelessContact", (&block.0, block.1), (&cylinder(0.062, 0.02), at([0.2, 0.0, 0.02])) => 0.0, Z;
        "CylinderBoxMargin", (&cylinder(0.2, 0.2), at(O)), (&cuboid([0.05; 3]), at([0.0, 0.0, 0.265])) => 0.015, Z;
    }
    // Balls and cylinders: over the end, or beside it from the rim.
    for (r, x, radius, half, place) in [
        (0.05, 0.0, 0.2, 0.2, 0.0),
        (0.05, 0.0, 0.02, 0.1, 0.5),
        (0.05, 0.0, 0.2, 0.04, -0.5),
        (0.05, 0.0, 0.2, 0.01, -1.0),
        (0.1, -0.5, 0.2, 0.2, 0.0),
        (0.1, -0.5, 0.2, 0.04, -0.5),
        (0.1, -0.5, 0.2, 0.01, -1.0),
        (0.1, -0.5, 0.02, 0.1, 0.5f64),
    ] {
        let beside = ((place - x).abs() - radius).max(0.0);
        let distance = beside.hypot(0.3 - half) - r;
        let normal = [beside * (place - x).signum(), 0.0, half - 0.3];
        contacts! { cases:
            "sphere_cylinder", (&ball(r), at([x, 0.0, 0.3])),
                (&cylinder(radius, half), at([place, 0.0, 0.0])) => distance, normal;
        }
    }
    // A ball above, in and below the top of a box and of a half-space, both at 0.
    for z in [-0.015, -0.00501, -0.005, -0.00499, 0.0, 0.004] {
        let pea = (ball(0.005), at([0.0, 0.0, z]));
        for (other, place) in [(cuboid([0.05, 0.05, 0.025]), -0.025), (half_space(), 0.0)] {
            contacts! { cases:
                "BoxSphere", (&pea.0, pea.1), (&other, at([0.0, 0.0, place])) => z - 0.005, DOWN;
            }
        }
    }
    // Balls whose lowest points are on a half-space.
    for place in [[-1.0, -1.0, 1.0], [2.0, 2.0, 1.0]] {
        contacts! { cases:
            "ContactCount", (&unit, at(place)), (&half_space(), at(O)) => 0.0, DOWN;
        }
    }

    // Ellipsoids, of which there is no formula: the greatest gap of their supporting planes.
    let pairs = [
        (
            "EllipsoidEllipsoid",
            [0.15, 0.3, 0.2],
            at([1.5, 0.0, -0.5]),
            [0.1, 0.1, 0.15],
            at([1.5, 0.5, 0.5]),
        ),
        (
            "EllipsoidEllipsoidPenetrating",
            [0.1; 3],
            at([0.0, 0.0, -0.1]),
            [0.01, 0.02, 0.1],
            posed(
                [0.000886189, -0.0303047, 0.0951303],
                quaternion([0.98783, 0.155468, 0.00454524, 1.60038e-06]),
            ),
        ),
        (
            "EllipsoidEllipsoidSlowConvergence",
            [0.05, 0.07, 0.15],
            posed(
                [0.44826351361072503, -0.1044142331517169, 0.2121646627845365],
                quaternion([
                    0.8048828826225602,
                    0.5883534407289175,
                    -0.07209066638001763,
                    0.028402638337431754,
                ]),
            ),
            [0.05, 0.07, 0.15],
            posed(
                [0.396941371876243, 0.009615426467416881, 0.29832742817753183],
                quaternion([
                    0.7067862958310188,
                    0.5166830870384156,
                    -0.47807318446194275,
                    0.07026912474435526,
                ]),
            ),
        ),
    ];
    for (name, a, at_a, b, at_b) in pairs {
        let (a, b) = (ellipsoid(a), ellipsoid(b));
        let distance = searched([(&a, &at_a), (&b, &at_b)]);
        contacts! { cases:
            name, (&a, at_a), (&b, at_b) => distance, None;
        }
    }

    // Points and a triangle: over it, beside an edge, before a corner (3, 4, 5), on it.
    let right = triangle([O, X, Y]);
    for (place, distance, normal) in [
        ([0.2, 0.2, 0.5], 0.5, Some(Z)),
        ([-1.0, 0.5, 0.0], 1.0, Some([-1.0, 0.0, 0.0])),
        ([-3.0, -4.0, 0.0], 5.0, Some([-3.0, -4.0, 0.0])),
        ([0.25, 0.25, 0.0], 0.0, None),
    ] {
        contacts! { cases:
            "PointTriangleDistance", (&right, at(O)), (&point(), at(place)) => distance, normal;
        }
    }
    // Segments: crossing 0.3 above, one after the other, side by side.
    let line = segment([[-1.0, 0.0, 0.0], X]);
    for (ends, distance, normal) in [
        ([[0.0, -1.0, 0.3], [0.0, 1.0, 0.3]], 0.3, Z),
        ([[2.0, 0.0, 0.0], [3.0, 0.0, 0.0]], 1.0, X),
        ([[-1.0, 0.0, 0.5], [1.0, 0.0, 0.5]], 0.5, Z),
    ] {
        contacts! { cases:
            "SegmentSegmentDistance", (&line, at(O)), (&segment(ends), at(O)) => distance, normal;
        }
    }
    // Points and a box from its faces at 0.1, 0.2 and 0.3, a sphere of 0.1 at x = 1, and a half-space below −1.
    let brick = cuboid([0.1, 0.2, 0.3]);
    contacts! { cases:
        "GeomDistance", (&brick, at(O)), (&point(), at([0.5, 0.0, 0.0])) => 0.4, X;
        "GeomDistance", (&brick, at(O)), (&point(), at(O)) => -0.1, None;
        "GeomDistance", (&tenth, at(X)), (&point(), at([1.3, 0.0, 0.0])) => 0.2, X;
        "GeomDistance", (&half_space(), at(DOWN)), (&point(), at([0.3, -0.2, 0.0])) => 1.0, Z;
    }

    // A box that stands on flat terrain.
    let flat = HeightField::new(vec![0.0; 100], 10, [-1.0, 1.0], [-1.0, 1.0], -0.01).unwrap();
    let terrain = Solid {
        shapes: vec![flat.into()],
        known: Known::Nothing,
    };
    contacts! { cases:
        "FramelessContactHfield", (&cuboid([0.3, 0.3, 0.2]), at([0.0, 0.0, 0.2])), (&terrain, at(O)) => 0.0, DOWN;
    }
    cases.done(52);
}

/// engine_ray_test.
#[test]
fn rays_of_mujoco() {
    let mut cases = Cases::default();
    let tenth = ball(0.1);
    // The centre less the radius, of the length of the ray.
    for x in [1.0, 3.0, 5.0] {
        rays! { cases:
            "Exclusions", (&tenth, at([x, 0.0, 0.0])), O, [10.0, 0.0, 0.0] => Cast::Hit((x - 0.1) / 10.0);
        }
    }
    let here = (&tenth, at([-1.0, 0.0, 0.0]));
    rays! { cases:
        "EdgeCases", here, [-0.5, 0.0, 0.0], [-1.0, 0.0, 0.0] => Cast::Hit(0.4);
        "EdgeCases", here, [-0.5, 0.0, 0.0], [-0.39, 0.0, 0.0] => Cast::Free;
        "EdgeCases", here, [0.1, 0.1, 0.05], [10.0, 10.0, 0.0] => Cast::Free;
        "EdgeCases", here, [-2.0, 0.0, 0.0], X => Cast::Hit(0.9);
        "EdgeCases", here, [-1.0, 0.0, 0.0], X => Cast::Overlapping;
    }
    // The cube with cut edges has faces 0.01 from its centre; on its diagonal x + y = 0.0185 at the cut.
    let signs = corners([[-1.0; 3], [1.0; 3]]);
    let cut = |s: &[f64; 3]| {
        [0, 1, 2].map(|k| {
            let mut corner = scaled(*s, 0.0085);
            corner[k] = 0.01 * s[k];
            corner
        })
    };
    let cubelet = hull(&signs.iter().flat_map(cut).collect::<Vec<_>>());
    let there = (&cubelet, at(X));
    rays! { cases:
        "MultiRayEqualsSingleRay", there, [-1.0, 0.0, 0.0], [4.0, 0.0, 0.0] => Cast::Hit(1.99 / 4.0);
        "MultiRayEqualsSingleRay", there, O, [1.0, -1.0, 0.0] => Cast::Free;
        "MultiRayEqualsSingleRay", there, [0.0, 1.0, 0.0], [1.0, -1.0, 0.0] => Cast::Hit(1.0 - 0.00925);
        "MultiRayEqualsSingleRay", there, X, [1.0, 0.2, 0.0] => Cast::Overlapping;
    }

    // Terrain from y = −3 to 3 and x = −2 to 2, its top at 1.5 for y ≤ −1 and 0.5 for y ≥ 1, its bottom at −0.5.
    let heights = [1.5, 1.5, 0.5, 0.5].map(|z| [z; 3]).concat();
    let field = HeightField::new(heights, 3, [-2.0, 2.0], [-3.0, 3.0], -0.5).unwrap();
    let terrain = Solid {
        shapes: vec![field.into()],
        known: Known::Nothing,
    };
    let terrain = (&terrain, at(O));
    // The side is at x = 2; a row of the grid at y = 1.
    rays! { cases:
        "RayHfield", terrain, [3.0, -2.0, 1.0], [-2.0, 0.0, 0.0] => Cast::Hit(0.5);
        "RayHfield", terrain, [3.0, -2.0, 0.0], [-2.0, 0.0, 0.0] => Cast::Hit(0.5);
        "RayHfield", terrain, [3.0, 1.0, 0.0], [-2.0, 0.0, 0.0] => Cast::Graze(0.5);
        // Halfway down the slope, on the diagonal of a cell, the top is at 1.
        "RayHfield", terrain, [1.0, 0.0, 1.5], DOWN => Cast::Graze(0.5);
        "RayHfield", terrain, [3.0, 2.0, 1.0], [-6.0, 0.0, 0.0] => Cast::Free;
    }
    cases.done(17);
}
