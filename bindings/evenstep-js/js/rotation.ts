// Blending of rotations between two states, in single precision: the same bits as in Rust and C.

const f = Math.fround;

/** The degree of the polynomial of `weight`. */
const DEGREE = 13;

/** k / (2k + 1) and 1 / (k (2k + 1)). */
const V: Float32Array = Float32Array.from({ length: DEGREE + 1 }, (_, k) => f(k / (2 * k + 1)));
const U: Float32Array = Float32Array.from({ length: DEGREE + 1 }, (_, k) => (k === 0 ? 0 : f(1 / (k * (2 * k + 1)))));

/** The factor of the last coefficient, which stands for those that are left out. */
const LAST = f(1.91);

/**
 * The weights of both states at an alpha: polynomials in 1 - cos φ that are nearly sin(s φ) / sin φ (D. Eberly, *A Fast and Accurate
 * Algorithm for Computing SLERP*, 2011). They depend on alpha alone, so a frame computes them once.
 */
export class Weights {
  readonly alpha: number;
  readonly #older: Float32Array;
  readonly #newer: Float32Array;

  constructor(alpha: number) {
    this.alpha = f(alpha);
    this.#older = coefficients(f(1 - this.alpha));
    this.#newer = coefficients(this.alpha);
  }

  older(u: number): number {
    return weight(this.#older, u);
  }

  newer(u: number): number {
    return weight(this.#newer, u);
  }
}

function coefficients(s: number): Float32Array {
  const square = f(s * s);
  const c = new Float32Array(DEGREE + 1);
  c[0] = s;
  for (let k = 1; k <= DEGREE; k++) c[k] = f(c[k - 1]! * f(V[k]! - f(U[k]! * square)));
  c[DEGREE] = f(c[DEGREE]! * LAST);
  return c;
}

function weight(c: Float32Array, u: number): number {
  let w = c[DEGREE]!;
  for (let k = DEGREE - 1; k >= 0; k--) w = f(f(w * u) + c[k]!);
  return w;
}

/** A number between two. */
export function between(a: number, b: number, alpha: number): number {
  return f(a - f(f(a - b) * alpha));
}

/** Blends the quaternions that lie at `at` in two arrays, the shorter way. */
export function blendQuaternion(
  older: Float32Array,
  newer: Float32Array,
  at: number,
  weights: Weights,
  out: Float32Array,
  to: number,
): void {
  const [x, y, z, w] = [older[at]!, older[at + 1]!, older[at + 2]!, older[at + 3]!];
  let [i, j, k, l] = [newer[at]!, newer[at + 1]!, newer[at + 2]!, newer[at + 3]!];
  const d = f(f(f(f(x * i) + f(y * j)) + f(z * k)) + f(w * l));
  if (d < 0) [i, j, k, l] = [-i, -j, -k, -l];
  if (x === i && y === j && z === k && w === l) {
    out[to] = x;
    out[to + 1] = y;
    out[to + 2] = z;
    out[to + 3] = w;
    return;
  }
  const u = f(1 - Math.abs(d));
  const p = weights.older(u);
  const q = weights.newer(u);
  const rx = f(f(x * p) + f(i * q));
  const ry = f(f(y * p) + f(j * q));
  const rz = f(f(z * p) + f(k * q));
  const rw = f(f(w * p) + f(l * q));
  const square = f(f(f(f(rx * rx) + f(ry * ry)) + f(rz * rz)) + f(rw * rw));
  const scale = f(f(1.5) - f(f(0.5) * square));
  out[to] = f(rx * scale);
  out[to + 1] = f(ry * scale);
  out[to + 2] = f(rz * scale);
  out[to + 3] = f(rw * scale);
}

/** Blends the directions, cosine and sine, that lie at `at` in two arrays, the shorter way. */
export function blendDirection(
  older: Float32Array,
  newer: Float32Array,
  at: number,
  weights: Weights,
  out: Float32Array,
  to: number,
): void {
  const [cos, sin] = [older[at]!, older[at + 1]!];
  const [x, y] = [newer[at]!, newer[at + 1]!];
  if (cos === x && sin === y) {
    out[to] = cos;
    out[to + 1] = sin;
    return;
  }
  const c = f(f(cos * x) + f(sin * y));
  const s = f(f(cos * y) - f(sin * x));
  // Half of the turn between them, as quaternions have it: 1 / √v by two steps of Newton's method.
  const v = f(f(0.5) + f(f(0.5) * Math.abs(c)));
  let r = f(f(2.2255) + f(v * f(f(-2.0428) + f(v * f(0.82)))));
  r = f(r * f(f(1.5) - f(f(f(f(0.5) * v) * r) * r)));
  r = f(r * f(f(1.5) - f(f(f(f(0.5) * v) * r) * r)));
  const big = f(v * r);
  const small = f(f(f(0.5) * Math.abs(s)) * r);
  const hc = c < 0 ? small : big;
  const half = c < 0 ? big : small;
  const hs = s < 0 ? -half : half;
  const u = f(1 - hc);
  const p = weights.older(u);
  const q = weights.newer(u);
  const pc = f(p + f(q * hc));
  const ps = f(q * hs);
  const tc = f(f(pc * pc) - f(ps * ps));
  const ts = f(2 * f(pc * ps));
  const rc = f(f(cos * tc) - f(sin * ts));
  const rs = f(f(sin * tc) + f(cos * ts));
  const scale = f(f(1.5) - f(f(0.5) * f(f(rc * rc) + f(rs * rs))));
  out[to] = f(rc * scale);
  out[to + 1] = f(rs * scale);
}
