// A ring at each contact that opens and fades as the replay passes it: one object for all.

import * as THREE from 'three';
import type { Playback, World } from './playback';

const LASTS = 0.45; // seconds

const VERTEX = `
  attribute float start;
  uniform float now, pixels;
  varying float age;
  void main() {
    age = (now - start) / ${LASTS.toFixed(2)};
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * place;
    gl_PointSize = age < 0.0 || age > 1.0 ? 0.0 : pixels * (6.0 + 22.0 * sqrt(age));
    if (age < 0.0 || age > 1.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }`;

const FRAGMENT = `
  uniform vec3 tint;
  varying float age;
  void main() {
    float r = 2.0 * length(gl_PointCoord - 0.5);
    float ring = smoothstep(0.62, 0.8, r) * (1.0 - smoothstep(0.86, 1.0, r));
    gl_FragColor = vec4(tint, 0.7 * ring * (1.0 - age));
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
