import { availableParallelism, totalmem } from 'node:os'

const mib = 1024 * 1024

/** Maximum of `GUILDHALL_PROCESSES`. */
export const maxProcesses = 64
const maxAutomatic = 4
// Half of the memory is for Git. Of the rest, each process gets enough for a busy site and its launcher.
const memoryOfProcess = 700 * mib

/** Number of server processes to start, or `auto` for the number that fits the machine. */
export type ProcessSetting = number | 'auto'

interface Machine {
  processors: number
  memoryBytes: number
}

/** Returns a setting for its text, or undefined if the text is invalid. An empty text means `auto`. */
export function parseProcesses(text: string): ProcessSetting | undefined {
  if (text === '' || text === 'auto') return 'auto'
  const count = /^[1-9]\d?$/.test(text) ? Number(text) : Infinity
  return count <= maxProcesses ? count : undefined
}

/**
 * Returns the number of server processes that an environment asks for. It is 1 with the embedded database, and
 * if the setting is invalid, which the process itself then reports.
 */
export function countProcesses(
  environment: Record<string, string | undefined>,
  machine: Machine = thisMachine(),
): number {
  const { DATABASE_URL: url, DATABASE_URL_FILE: file, GUILDHALL_PROCESSES: text = '' } = environment
  if (!url && !file) return 1
  const setting = parseProcesses(text) ?? 1
  if (setting !== 'auto') return setting
  const fit = Math.floor(machine.memoryBytes / 2 / memoryOfProcess)
  return Math.max(1, Math.min(machine.processors, maxAutomatic, fit))
}

const thisMachine = (): Machine => ({
  processors: availableParallelism(),
  memoryBytes: memoryLimit(),
})

/** Returns the memory of the machine in bytes, or the memory limit of the container or service. */
export function memoryLimit(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity)
}
