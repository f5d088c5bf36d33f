# Render a .glb that carom wrote, as it comes: its own camera, sun and materials, nothing moved by hand.
# blender -b -P viewer/blender.py -- FILE.glb PICTURE.png [FRAME [WIDTH HEIGHT SAMPLES]]
import sys

import bpy
import numpy

numpy.bool = bool  # Blender 3.4's importer of glTF asks numpy for a name that newer ones have no more

source, target, *rest = sys.argv[sys.argv.index("--") + 1:]
share, width, height, samples = (float(a) if i == 0 else int(a) for i, a in enumerate((rest + ["0.45", "480", "300", "24"][len(rest):])[:4]))

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=source)
scene = bpy.context.scene
scene.camera = next(o for o in scene.objects if o.type == "CAMERA")
last = max((int(a.frame_range[1]) for a in bpy.data.actions), default=1)
scene.frame_set(int(share * last))

scene.world = bpy.data.worlds.new("sky")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.75, 0.8, 0.86, 1)
scene.world.node_tree.nodes["Background"].inputs[1].default_value = 0.6
scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples = samples
scene.cycles.use_denoising = False
scene.cycles.max_bounces = 4
scene.render.resolution_x, scene.render.resolution_y = width, height
scene.render.image_settings.file_format = "JPEG" if target.endswith(".jpg") else "PNG"
scene.render.image_settings.quality = 85
scene.render.filepath = target
bpy.ops.render.render(write_still=True)
