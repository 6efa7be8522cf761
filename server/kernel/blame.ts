import { ConfigError } from './config-error'

/**
 * Does work with what a variable names, such as a directory or an address, so that a failure of the system names it.
 * @throws {ConfigError} in place of such a failure; others as they are.
 */
export async function blaming<T>(variable: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isOfSystem = error instanceof Error && 'syscall' in error
    throw isOfSystem ? new ConfigError(`${variable}: ${error.message}`, { cause: error }) : error
  }
}
