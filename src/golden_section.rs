//! The golden-section search for a minimum.

/// The number of steps: the interval shrinks to a millionth of its width, the error of a smooth minimum to the square
/// of that.
const STEPS: usize = 30;

/// Returns the minimum `(x, f(x))` of a function with one minimum between `low` and `high`.
pub(crate) fn minimum(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> (f64, f64) {
    const RATIO: f64 = 0.618_033_988_749_895;
    let (mut c, mut d) = (high - RATIO * (high - low), low + RATIO * (high - low));
    let (mut fc, mut fd) = (f(c), f(d));
    for _ in 0..STEPS {
        if fc < fd {
            (high, d, fd) = (d, c, fc);
            c = high - RATIO * (high - low);
            fc = f(c);
        } else {
            (low, c, fc) = (c, d, fd);
            d = low + RATIO * (high - low);
            fd = f(d);
        }
    }
    if fc < fd { (c, fc) } else { (d, fd) }
}
