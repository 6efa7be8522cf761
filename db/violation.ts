/** The name of the unique constraint or index that refused a row, or undefined for any other error. */
export function uniqueViolation(error: unknown): string | undefined {
  return constraintOf(error, '23505')
}

/** The name of the foreign key that refused a row or a deletion, or undefined for any other error. */
export function foreignKeyViolation(error: unknown): string | undefined {
  return constraintOf(error, '23503')
}

// By shape, not by class: the embedded engine and the server's client throw different ones.
function constraintOf(error: unknown, sqlState: string): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== sqlState) return undefined
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined
}
