// A ring and sparks at each contact, which fly apart and fade as the replay passes it, larger for
// harder hits: one object for all.

import * as THREE from 'three';
import type { Playback, World } from './playback';

const LASTS = 0.45; // seconds

const VERTEX = `
  attribute float start, force;
  uniform float now, pixels;
  varying float age, hard;
  void main() {
    hard = force;
    age = (now - start) / ${LASTS.toFixed(2)};
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * place;
    gl_PointSize = age < 0.0 || age > 1.0 ? 0.0 : pixels * (14.0 + 46.0 * force) * (0.45 + 0.9 * sqrt(age));
    if (age < 0.0 || age > 1.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }`;

const FRAGMENT = `
  uniform vec3 tint;
  varying float age, hard;
  void main() {
    vec2 at = gl_PointCoord - 0.5;
    float r = 2.0 * length(at), angle = atan(at.y, at.x);
    float ring = smoothstep(0.5, 0.62, r) * (1.0 - smoothstep(0.64, 0.76, r));
    float ray = pow(abs(cos(angle * 4.5 + 7.0 * hard)), 24.0);
    float spark = ray * smoothstep(age * 0.8, age * 0.8 + 0.12, r) * (1.0 - smoothstep(age * 0.8 + 0.3, age * 0.8 + 0.5, r));
    float glow = (1.0 - smoothstep(0.0, 0.55, r)) * (1.0 - smoothstep(0.0, 0.35, age));
    vec3 hot = mix(vec3(1.0, 0.55, 0.1), vec3(1.0, 0.95, 0.75), glow);
    float heat = max(0.95 * spark, 0.8 * glow);
    gl_FragColor = vec4(mix(tint, hot, clamp(heat * 2.0, 0.0, 1.0)), max(0.5 * ring, heat) * (1.0 - age) * (0.25 + 0.75 * hard));
    if (gl_FragColor.a < 0.01) discard;
  }`;

export class Pulses {
  readonly object: THREE.Points;
  private material: THREE.ShaderMaterial;
  private size: number; // of the rings, smaller where there are many

  constructor(playback: Playback, world: World) {
    this.size = Math.min(1, Math.max(0.22, Math.sqrt(40 / Math.max(world.meetings.length, 1))));
    const geometry = new THREE.BufferGeometry();
    const places = new Float32Array(3 * world.meetings.length);
    const starts = new Float32Array(world.meetings.length);
    world.meetings.forEach(({ point, from }, i) => {
      places.set(point, 3 * i);
      starts[i] = from * playback.frameSeconds;
    });
    geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
    geometry.setAttribute('start', new THREE.BufferAttribute(starts, 1));
    // From hardly a touch to the hardest hit, on a scale that a slow ball shows on too.
    const hardest = Math.max(1e-9, ...world.meetings.slice(0, 50000).map(({ impulse }) => impulse));
    const forces = Float32Array.from(world.meetings, ({ impulse }) => Math.sqrt(Math.max(impulse, 0) / hardest));
    geometry.setAttribute('force', new THREE.BufferAttribute(forces, 1));
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthTest: false,
      depthWrite: false,
      uniforms: { now: { value: 0 }, pixels: { value: 1 }, tint: { value: new THREE.Color() } },
    });
    this.object = new THREE.Points(geometry, this.material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 3;
    this.object.visible = world.meetings.length > 0;
  }

  show(seconds: number, pixels: number, dark: boolean): void {
    this.material.uniforms.now.value = seconds;
    this.material.uniforms.pixels.value = pixels * this.size;
    this.material.uniforms.tint.value.set(dark ? 0xffffff : 0x1d2326);
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.material.dispose();
  }
}
