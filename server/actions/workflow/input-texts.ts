import { storable } from './expressions'

/** Returns the inputs of a run as strings, by name. */
export function inputTexts({ inputs }: Record<string, unknown>): Record<string, string> {
  if (!isMapping(inputs)) return {}
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, textOf(value)]))
}

/** Whether a value is an object and not a list. */
export const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Converts a scalar to a string; any other value becomes empty. */
export const textOf = (value: unknown): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : storable(String(value))
