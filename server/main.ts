import { join } from 'node:path'
import { limitGarbage } from './kernel/free-memory'
import { useLauncher } from './kernel/launcher/launch'
import { countProcesses } from './kernel/processes/count'
import { holdHangups } from './kernel/processes/hangup'
import { isSupervised, joinSupervisor } from './kernel/processes/supervised'

// A reload during the start must not end the process.
holdHangups()
const folder = join(process.cwd(), 'dist')
const count = process.argv.includes('--dev') ? 1 : countProcesses(process.env)

if (!isSupervised() && count > 1) {
  const { supervise } = await import('./kernel/processes/supervise')
  await supervise(join(folder, 'main.js'), count)
} else {
  if (isSupervised()) joinSupervisor()
  limitGarbage()
  // Before anything large is loaded, because `fork` takes longer in a process that uses more memory.
  await useLauncher(join(folder, 'launcher.js')).catch((error: Error) => {
    process.stderr.write(`The launcher, which starts git, could not be started: ${error.message}\n`)
  })
  await import('./site')
}
