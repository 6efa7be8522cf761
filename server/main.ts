import { join } from 'node:path'
import { useLauncher } from './kernel/launcher/launch'

// Before anything large is loaded, as starting a process takes longer the larger the one that does it.
await useLauncher(join(process.cwd(), 'dist/launcher.js')).catch((error: Error) => {
  process.stderr.write(`The process that starts git could not be started: ${error.message}\n`)
})
await import('./site')
