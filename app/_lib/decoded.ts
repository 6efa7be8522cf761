/** A value of an address as people read it; one that cannot be decoded stays as it is. */
export function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
