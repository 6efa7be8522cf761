import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { operations } from '@/server/actions/workflow/thread/operations'

const rounds = 9
const jobs = 250
const out = (line: string) => process.stdout.write(`${line}\n`)

const names = Array.from({ length: jobs }, (_, at) => `j${at}`)
const lineOf = (name: string, at: number): string =>
  `  ${name}:\n    name: Build \${{ github.ref_name }} ${at}\n    runs-on: [x, "\${{ vars.SIZE || 'small' }}"]\n` +
  (at % 5 === 4 ? `    needs: [j${at - 1}, j${at - 2}]\n    if: github.ref == 'refs/heads/main'\n` : '') +
  `    steps:\n      - run: make \${{ github.sha }}\n      - run: make test\n`
const document = `on: push\njobs:\n${names.map(lineOf).join('')}`

/** Prints how long planning 250 jobs takes compared with GitHub's parser reading the same file. The two take turns. */
export async function benchPlanning(): Promise<void> {
  const context = { ref: 'refs/heads/main', ref_name: 'main', sha: 'f00dfeed'.repeat(5), event_name: 'push' }
  const start = { payload: { ref: 'refs/heads/main' }, vars: {} }
  const times: { parse: number[]; plan: number[] } = { parse: [], plan: [] }
  for (let round = 0; round < rounds; round++) {
    times.parse.push(await timeOf(() => parse(document)))
    // Another document each time, because the thread keeps the last one.
    const other = `${document}# ${round}\n`
    times.plan.push(
      await timeOf(() =>
        operations.plan({ document: other, path: 'a.yml', context: context as never, start }),
      ),
    )
  }
  const [parsing, planning] = [median(times.parse), median(times.plan)]
  out(
    `    planning ${jobs} jobs: ${planning.toFixed(0)} ms, GitHub's parser alone: ${parsing.toFixed(0)} ms   ` +
      `ratio ${(planning / parsing).toFixed(2)}`,
  )
}

async function parse(content: string): Promise<void> {
  const { context, value } = parseWorkflow({ name: 'a.yml', content }, new NoOperationTraceWriter())
  if (!value) throw new Error('The workflow is invalid.')
  await convertWorkflowTemplate(context, value)
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
