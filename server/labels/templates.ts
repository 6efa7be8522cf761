import { notFound } from '@/server/kernel/errors'
import type { LabelTemplateEntry } from './schema'

type Entry = readonly [name: string, color: string, description: string]

const free: readonly Entry[] = [
  ['bug', 'ee0701', 'It does not work as it should'],
  ['duplicate', 'cccccc', 'The same was reported before'],
  ['enhancement', '84b6eb', 'A new feature, or a better one'],
  ['help wanted', '128a0c', 'Contributions are welcome'],
  ['invalid', 'e6e6e6', 'There is nothing to do here'],
  ['question', 'cc317c', 'An answer is asked for, not a change'],
  ['wontfix', 'ffffff', 'It stays as it is'],
]

const kinds: readonly Entry[] = [
  ['Kind/Bug', 'ee0701', 'It does not work as it should'],
  ['Kind/Feature', '0288d1', 'Something that does not exist yet'],
  ['Kind/Enhancement', '84b6eb', 'Improves what exists'],
  ['Kind/Security', '9c27b0', 'Concerns security'],
  ['Kind/Testing', '795548', 'Concerns tests'],
  ['Kind/Documentation', '37474f', 'Concerns the documentation'],
  ['Compat/Breaking', 'c62828', 'Users have to change something to keep up'],
]

// Of each of these groups, one label applies.
const states: readonly Entry[] = [
  ['Priority/Critical', 'b71c1c', 'Before everything else'],
  ['Priority/High', 'd32f2f', 'Soon'],
  ['Priority/Medium', 'e64a19', 'In its turn'],
  ['Priority/Low', '4caf50', 'When there is time'],
  ['Reviewed/Duplicate', '616161', 'The same was reported before'],
  ['Reviewed/Invalid', '546e7a', 'There is nothing to do here'],
  ['Reviewed/Confirmed', '795548', 'Somebody has reproduced it'],
  ["Reviewed/Won't Fix", 'eeeeee', 'It stays as it is'],
  ['Status/Need More Info', '424242', 'Whoever reported it has to say more'],
  ['Status/Blocked', '880e4f', 'Something else has to happen first'],
  ['Status/Abandoned', '222222', 'Nobody works on it any more'],
]

const view =
  (exclusive: boolean) =>
  ([name, color, description]: Entry): LabelTemplateEntry => ({ name, color, description, exclusive })

const templates: ReadonlyMap<string, readonly LabelTemplateEntry[]> = new Map([
  ['Advanced', [...kinds.map(view(false)), ...states.map(view(true))]],
  ['Default', free.map(view(false))],
])

export const labelTemplateNames: readonly string[] = [...templates.keys()]

/**
 * Returns the labels of a template.
 * @throws {DomainError} notFound for an unknown name.
 */
export function getLabelTemplate(name: string): readonly LabelTemplateEntry[] {
  const labels = templates.get(name)
  if (!labels) throw notFound('label template does not exist')
  return labels
}
