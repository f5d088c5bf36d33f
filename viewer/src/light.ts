// The light of a room with a few bright panels: as what polished things mirror, and as what falls
// from everywhere on all things. Most of a picture is ground, and much of the cost of a picture is
// its light, above all without a graphics card: where a formula will do, nothing is looked up.

import * as THREE from 'three';

const WIDE = 128, HIGH = 64; // px of the room, all around
const HUE = [1, 0.99, 0.965];
// Place and half size of each panel, in shares of the way around and down, and how bright it is.
const PANELS = [[0.12, 0.2, 0.1, 0.1, 9], [0.42, 0.16, 0.06, 0.14, 6], [0.7, 0.22, 0.12, 0.07, 7],
  [0.92, 0.3, 0.04, 0.12, 4]];

// u: around, v: 0 above, 1 below.
function brightness(u: number, v: number): number {
  let light = v < 0.5 ? 0.95 - 0.75 * v : 0.34 - 0.2 * v;
  for (const [pu, pv, du, dv, strength] of PANELS) {
    const inside = Math.max(Math.abs(u - pu) / du, Math.abs(v - pv) / dv);
    light += strength * THREE.MathUtils.smoothstep(1.15 - inside, 0, 0.3);
  }
  return light;
}

// What polished things mirror.
export function makeSurround(renderer: THREE.WebGLRenderer): THREE.Texture {
  const values = new Float32Array(4 * WIDE * HIGH);
  for (let j = 0; j < HIGH; j++) {
    for (let i = 0; i < WIDE; i++) {
      const light = brightness((i + 0.5) / WIDE, 1 - (j + 0.5) / HIGH);
      values.set([light * HUE[0], light * HUE[1], light * HUE[2], 1], 4 * (j * WIDE + i));
    }
  }
  const map = new THREE.DataTexture(values, WIDE, HIGH, THREE.RGBAFormat, THREE.FloatType);
  map.mapping = THREE.EquirectangularReflectionMapping;
  map.minFilter = map.magFilter = THREE.LinearFilter;
  map.needsUpdate = true;
  const generator = new THREE.PMREMGenerator(renderer);
  const target = generator.fromEquirectangular(map);
  generator.dispose();
  map.dispose();
  return target.texture;
}

// ------------------------------------------------------------------------------------------
// The light on a surface is the room's brightness over the half sphere above it, weighted by the
// cosine: nine spherical harmonics are within a few percent of it whatever the room (Ramamoorthi and
// Hanrahan, 2001).

// The harmonics of a direction.
function harmonics(x: number, y: number, z: number): number[] {
  return [0.282095, 0.488603 * y, 0.488603 * z, 0.488603 * x, 1.092548 * x * y, 1.092548 * y * z,
    0.315392 * (3 * z * z - 1), 1.092548 * x * z, 0.546274 * (x * x - y * y)];
}

const SPREAD = [Math.PI, (2 * Math.PI) / 3, Math.PI / 4]; // the cosine, of each degree

function coefficients(): number[] {
  const sums = new Array<number>(9).fill(0);
  for (let j = 0; j < HIGH; j++) {
    const v = (j + 0.5) / HIGH, up = Math.cos(Math.PI * v), out = Math.sin(Math.PI * v);
    const area = ((2 * Math.PI) / WIDE) * (Math.PI / HIGH) * out;
    for (let i = 0; i < WIDE; i++) {
      const u = (i + 0.5) / WIDE, angle = 2 * Math.PI * (u - 0.5);
      // The room's second axis is turned up: the scene's -y is its third.
      const shape = harmonics(out * Math.cos(angle), -out * Math.sin(angle), up);
      shape.forEach((value, k) => { sums[k] += area * brightness(u, v) * value; });
    }
  }
  return sums.map((sum, k) => sum * SPREAD[k === 0 ? 0 : k < 4 ? 1 : 2]);
}

export const AMBIENT = { value: 0.3 }; // how much of the room's light there is

const FILL = 0.5; // light between the panels, a little more of it from above

function irradiance(): string {
  const c = coefficients().map((value) => `(${value.toFixed(6)})`);
  return `
    uniform float ambient;
    vec3 roomLight(vec3 normal) {
      vec3 n = inverseTransformDirection(normal, viewMatrix);
      float light = 0.282095 * ${c[0]} + 0.488603 * (${c[1]} * n.y + ${c[2]} * n.z + ${c[3]} * n.x)
        + 1.092548 * (${c[4]} * n.x * n.y + ${c[5]} * n.y * n.z + ${c[7]} * n.x * n.z)
        + 0.315392 * ${c[6]} * (3.0 * n.z * n.z - 1.0) + 0.546274 * ${c[8]} * (n.x * n.x - n.y * n.y)
        + ${FILL} * (0.86 + 0.14 * n.z);
      return max(light, 0.0) * ambient * vec3(${HUE.map((value) => value.toFixed(3)).join(', ')});
    }`;
}

const ROOM = irradiance(), MAPS = '#include <lights_fragment_maps>', NORMAL = '#include <defaultnormal_vertex>';

// In place of three's lookups: light from everywhere by the formula, mirrored light by the texture.
// What mirrors nothing is lit at its corners.
export function lightByRoom(shader: { vertexShader: string; fragmentShader: string; uniforms: Record<string, THREE.IUniform> }, mirrors: boolean): void {
  shader.uniforms.ambient = AMBIENT;
  const whole = (text: string, head: string) => text.replace('void main() {', `${head}\nvoid main() {`);
  if (mirrors) {
    shader.fragmentShader = whole(shader.fragmentShader, ROOM).replace(MAPS, `
      #ifdef USE_ENVMAP
        iblIrradiance += roomLight(geometryNormal);
        radiance += getIBLRadiance(geometryViewDir, geometryNormal, material.roughness);
      #else
        irradiance += roomLight(geometryNormal);
      #endif`);
    return;
  }
  shader.vertexShader = whole(shader.vertexShader, `varying vec3 vRoom;${ROOM}`)
    .replace(NORMAL, `${NORMAL}\nvRoom = roomLight(normalize(transformedNormal));`);
  shader.fragmentShader = whole(shader.fragmentShader, 'varying vec3 vRoom;').replace(MAPS, 'irradiance += vRoom;');
}

// ------------------------------------------------------------------------------------------
// Shadows with soft edges look at sixteen places of the sun's map. Where six spread ones agree, a
// point is in the light or in the shadow as a whole: all but the edges of shadows.

const HEAD = 'float getShadow(', EDGES = 'shadow = (\n\t\t\t\ttexture2DCompare( shadowMap, uv, shadowCoord.z ) +';
const LIT = `
  float litBy(sampler2D map, ivec2 cell, float depth) {
    return step(depth, unpackRGBAToDepth(texelFetch(map, cell, 0)));
  }`;
const LOOK = `
  ivec2 cell = clamp(ivec2(shadowCoord.xy * shadowMapSize + 0.5) - 1, ivec2(1), ivec2(shadowMapSize) - 3);
  float few = litBy(shadowMap, cell, shadowCoord.z) + litBy(shadowMap, cell + 1, shadowCoord.z)
    + litBy(shadowMap, cell - 1, shadowCoord.z) + litBy(shadowMap, cell + 2, shadowCoord.z)
    + litBy(shadowMap, cell + ivec2(2, -1), shadowCoord.z) + litBy(shadowMap, cell + ivec2(-1, 2), shadowCoord.z);
  if (few < 0.5) shadow = 0.0;
  else if (few < 5.5) `;

export function quickShadows(): void {
  const chunk = THREE.ShaderChunk.shadowmap_pars_fragment;
  if (!chunk.includes(EDGES)) throw new Error('the shadows of this three.js are other ones');
  THREE.ShaderChunk.shadowmap_pars_fragment = chunk.replace(HEAD, `${LIT}\n${HEAD}`).replace(EDGES, LOOK + EDGES);
}

// Whether the processor draws, and not a graphics card.
export function isSoftware(gl: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
