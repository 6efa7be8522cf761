/** The name of the unique constraint or index that refused a row, or undefined for any other error. */
export function uniqueViolation(error: unknown): string | undefined {
  return constraintOf(error, '23505')
}

/** The name of the foreign key that refused a row or a deletion, or undefined for any other error. */
export function foreignKeyViolation(error: unknown): string | undefined {
  return constraintOf(error, '23503')
}

/** Whether a row was refused for what is in it: a value or a key that there is no place for, or that is there already. */
export function isUnstorable(error: unknown): boolean {
  return /^(?:22...|54...|23505|23514)$/.test(String(stateOf(error)))
}

/** Which limit of time ended a statement: that for a lock, or that for all of it; undefined for any other error. */
export function timedOut(error: unknown): 'lock' | 'statement' | undefined {
  if (stateOf(error) === '55P03') return 'lock'
  return stateOf(error) === '57014' ? 'statement' : undefined
}

// By shape, not by class: the embedded engine and the server's client throw different ones.
function constraintOf(error: unknown, sqlState: string): string | undefined {
  if (stateOf(error) !== sqlState) return undefined
  const { constraint } = error as { constraint?: unknown }
  return typeof constraint === 'string' ? constraint : undefined
}

const stateOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
