import { join } from 'node:path'
import { useLauncher } from './kernel/launcher/launch'

// Before anything large is loaded, because `fork` takes longer in a process that uses more memory.
await useLauncher(join(process.cwd(), 'dist/launcher.js')).catch((error: Error) => {
  process.stderr.write(`The launcher, which starts git, could not be started: ${error.message}\n`)
})
await import('./site')
