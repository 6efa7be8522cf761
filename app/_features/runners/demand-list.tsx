'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox, ListRow, RowFacts } from '@/app/_components/box'
import { ClockIcon } from '@/app/_components/icons'
import { LabelList } from '@/app/_components/label-list'
import { QuietLink, TextLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { newRunnerPath } from '@/app/_features/scopes/scope-paths'
import { counted } from '@/app/_lib/format'
import { repositoryPath } from '@/app/_lib/paths'
import type { ScopeName } from '@/server/scopes/schema'
import { demandQuery } from './queries'
import styles from './runners.module.css'

/** Lists the waiting jobs, grouped by the labels they require. Renders nothing if no job waits. */
export function DemandList({ scope }: { scope: ScopeName }): ReactNode {
  const { data: demand = [] } = useQuery(demandQuery(scope))
  if (demand.length === 0) return null
  const total = demand.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className={styles.demand}>
      <ListBox title="Waiting jobs" total={total}>
        {demand.map(({ labels, count, oldest_queued_at, served }) => (
          <ListRow key={labels.join()} visual={<ClockIcon />}>
            <div className={styles.head}>
              <strong>
                {scope.kind === 'repository' ? (
                  <QuietLink
                    href={`${repositoryPath({ full_name: `${scope.owner}/${scope.repo}` }, 'actions')}?status=active`}
                  >
                    {counted(count, 'job', 'jobs')}
                  </QuietLink>
                ) : (
                  counted(count, 'job', 'jobs')
                )}
              </strong>
              <LabelList labels={labels} />
            </div>
            {served ? null : (
              <p className={styles.problem}>
                No available runners have these labels.{' '}
                <TextLink href={newRunnerPath(scope, labels)} inline>
                  Add a runner
                </TextLink>
              </p>
            )}
            <RowFacts>
              <span>
                {count === 1 ? 'Queued' : 'Oldest queued'} <RelativeDate value={oldest_queued_at} />
              </span>
            </RowFacts>
          </ListRow>
        ))}
      </ListBox>
    </div>
  )
}
