import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { maxCronLength, maxTimezoneLength } from '@/server/actions/workflow/cron'
import * as limits from '@/server/actions/workflow/limits'
import { maxEffort, maxProduct } from '@/server/actions/workflow/matrix'
import * as runs from '@/server/actions/workflow/run-limits'
import { deadlineMs, memoryMb } from '@/server/actions/workflow/thread/reader'
import { maxFileBytes, maxFiles, maxTotalBytes } from '@/server/triggers/files'
import { maxSchedules } from '@/server/triggers/schedule'
import { maxInputs, maxValueLength } from '@/server/triggers/schema'

const shown = (count: number): string => count.toLocaleString('en-US')
const mib = (bytes: number): string => `${bytes / 1024 / 1024} MiB`

it('docs/workflows.md states the workflow limits that the code enforces', async () => {
  const text = await readFile('docs/workflows.md', 'utf8')
  const rows = new Map(
    [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, what = '', limit = '']) => [what, limit]),
  )
  const named: Record<string, string[]> = {
    Files: [`${maxFiles} of`, `${maxFileBytes / 1024} KiB`, mib(maxTotalBytes)],
    'YAML of a file': [
      `${shown(limits.maxTokens)} words`,
      `${limits.maxNesting} levels`,
      `${limits.maxAliases} aliases`,
      `${shown(limits.maxValues)} values`,
      `${shown(limits.maxCharacters)} characters`,
    ],
    Jobs: [`${shown(runs.maxJobs)} of a run`, `${runs.maxMatrixJobs} of a matrix`],
    '`needs`': [
      `${runs.maxNeeds} of a job`,
      `${shown(runs.maxAllNeeds)} of all`,
      `${limits.maxChain} jobs in a row`,
    ],
    '`matrix`': [
      `${limits.maxIncludes} entries of \`include\``,
      `${shown(limits.maxExcludes)} of \`exclude\``,
      `${shown(maxProduct)} combinations`,
      `${shown(maxEffort)} steps`,
      mib(runs.maxMatrixLength),
    ],
    '`runs-on`': [`${runs.maxLabels} labels`],
    Schedules: [
      `${limits.maxCrons} lines`,
      `${maxSchedules} schedules`,
      `${maxCronLength} characters`,
      `${maxTimezoneLength} of`,
    ],
    '`if` of a job': [`${shown(runs.maxConditionLength)} characters`],
    'Inputs of a dispatch': [`${maxInputs}, of ${shown(maxValueLength)}`],
    'Reading a file': [`${deadlineMs / 1000} seconds`, `${memoryMb} MiB`],
  }
  for (const [what, facts] of Object.entries(named))
    for (const fact of facts) expect(rows.get(what), what).toContain(fact)
  expect(limits.maxDocumentBytes).toBe(maxFileBytes)
})
