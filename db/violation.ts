/** Returns the name of the unique constraint or index that rejected a row; undefined for any other error. */
export function uniqueViolation(error: unknown): string | undefined {
  return constraintOf(error, '23505')
}

/** Returns the name of the foreign key that rejected a row or a deletion; undefined for any other error. */
export function foreignKeyViolation(error: unknown): string | undefined {
  return constraintOf(error, '23503')
}

/**
 * Returns whether a row was rejected because of its values: they are invalid, too large, or already exist.
 */
export function isUnstorable(error: unknown): boolean {
  return /^(?:22...|54...|23505|23514)$/.test(String(stateOf(error)))
}

/**
 * Returns whether the lock timeout or the statement timeout ended a statement; undefined for any other error.
 */
export function timedOut(error: unknown): 'lock' | 'statement' | undefined {
  if (stateOf(error) === '55P03') return 'lock'
  return stateOf(error) === '57014' ? 'statement' : undefined
}

// Recognized by properties, not by class: the embedded engine and `pg` throw errors of different classes.
function constraintOf(error: unknown, sqlState: string): string | undefined {
  if (stateOf(error) !== sqlState) return undefined
  const { constraint } = error as { constraint?: unknown }
  return typeof constraint === 'string' ? constraint : undefined
}

const stateOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
