import { build } from 'esbuild'
import { buildIfNeeded } from './build.mjs'
import { externalPackages } from './external-packages.mjs'
import { root } from './run.mjs'

await buildIfNeeded()
await build({
  absWorkingDir: root,
  entryPoints: {
    bench: 'bench/main.ts',
    'bench-bare': 'bench/bare.ts',
    'bench-bare-git': 'bench/bare-git.ts',
    'bench-direct': 'bench/direct.ts',
    'bench-starts': 'bench/starts.ts',
    'bench-bare-sender': 'bench/hooks/bare-sender.ts',
    'bench-hook-receiver': 'bench/hooks/receiver.ts',
    'bench-artifact-sink': 'bench/artifacts/sink.ts',
    'bench-file-sink': 'bench/files/sink.ts',
  },
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  plugins: [externalPackages],
})
process.chdir(root)
await import('../dist/bench.js')
