import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects all garbage and returns free memory to the system. Blocks the main thread for some tenths of a second.
 */
export function freeMemory(): void {
  // The function exists in contexts that are created while the flag is set.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  // Without this, pages that are nearly empty are kept.
  setFlagsFromString('--compact-on-every-full-gc')
  collect()
  setFlagsFromString('--no-compact-on-every-full-gc')
}
