/** Runs work whose failure concerns nobody else: if it throws, the process only emits a warning. */
export function withoutFailing(work: () => void): void {
  try {
    work()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
