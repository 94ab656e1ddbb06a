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
 * The coefficients of both states' weights at an alpha: polynomials in 1 - cos φ that are nearly sin(s φ) / sin φ (D. Eberly, *A Fast and
 * Accurate Algorithm for Computing SLERP*, 2011). They depend on alpha alone, so a frame computes them once.
 */
export interface Weights {
  readonly alpha: number;
  readonly older: Float32Array;
  readonly newer: Float32Array;
}

export function weightsAt(alpha: number): Weights {
  const t = f(alpha);
  return { alpha: t, older: coefficients(f(1 - t)), newer: coefficients(t) };
}

function coefficients(s: number): Float32Array {
  const square = f(s * s);
  const c = new Float32Array(DEGREE + 1);
  c[0] = s;
  for (let k = 1; k <= DEGREE; k++) c[k] = f(c[k - 1]! * f(V[k]! - f(U[k]! * square)));
  c[DEGREE] = f(c[DEGREE]! * LAST);
  return c;
}

/** A polynomial by Estrin's scheme, whose operations wait less for one another than those of Horner's. */
function weight(c: Float32Array, u: number, u2: number, u4: number, u8: number): number {
  const p0 = f(f(f(c[1]! * u) + c[0]!) + f(f(f(c[3]! * u) + c[2]!) * u2));
  const p1 = f(f(f(c[5]! * u) + c[4]!) + f(f(f(c[7]! * u) + c[6]!) * u2));
  const p2 = f(f(f(c[9]! * u) + c[8]!) + f(f(f(c[11]! * u) + c[10]!) * u2));
  const p3 = f(f(c[13]! * u) + c[12]!);
  return f(f(p0 + f(p1 * u4)) + f(f(p2 + f(p3 * u4)) * u8));
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
  const x = older[at]!;
  const y = older[at + 1]!;
  const z = older[at + 2]!;
  const w = older[at + 3]!;
  let i = newer[at]!;
  let j = newer[at + 1]!;
  let k = newer[at + 2]!;
  let l = newer[at + 3]!;
  const d = f(f(f(f(x * i) + f(y * j)) + f(z * k)) + f(w * l));
  if (d < 0) {
    i = -i;
    j = -j;
    k = -k;
    l = -l;
  }
  if (x === i && y === j && z === k && w === l) {
    out[to] = x;
    out[to + 1] = y;
    out[to + 2] = z;
    out[to + 3] = w;
    return;
  }
  const u = f(1 - Math.abs(d));
  const u2 = f(u * u);
  const u4 = f(u2 * u2);
  const u8 = f(u4 * u4);
  const p = weight(weights.older, u, u2, u4, u8);
  const q = weight(weights.newer, u, u2, u4, u8);
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
  const cos = older[at]!;
  const sin = older[at + 1]!;
  const x = newer[at]!;
  const y = newer[at + 1]!;
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
  const u2 = f(u * u);
  const u4 = f(u2 * u2);
  const u8 = f(u4 * u4);
  const p = weight(weights.older, u, u2, u4, u8);
  const q = weight(weights.newer, u, u2, u4, u8);
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
