import { storable } from './expressions'

/** The values that a run was started with, as texts by their names. */
export function inputTexts({ inputs }: Record<string, unknown>): Record<string, string> {
  if (!isMapping(inputs)) return {}
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, textOf(value)]))
}

/** Whether a value has keys. */
export const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a plain value reads as; empty for any other. */
export const textOf = (value: unknown): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : storable(String(value))
