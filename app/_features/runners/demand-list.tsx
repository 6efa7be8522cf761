'use client'
import { ClockIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox, ListRow, RowFacts } from '@/app/_components/box'
import { LabelList } from '@/app/_components/label-list'
import { RelativeDate } from '@/app/_components/relative-date'
import { counted } from '@/app/_lib/format'
import type { PlaceName } from '@/server/places/schema'
import { demandQuery } from './queries'
import styles from './runners.module.css'

/** The jobs that wait, by the labels they ask for; nothing where none does. */
export function DemandList({ place }: { place: PlaceName }): ReactNode {
  const { data: demand = [] } = useQuery(demandQuery(place))
  if (demand.length === 0) return null
  const total = demand.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className={styles.demand}>
      <ListBox title="Waiting jobs" total={total}>
        {demand.map(({ labels, count, oldest_queued_at, served }) => (
          <ListRow key={labels.join()} visual={<ClockIcon />}>
            <div className={styles.head}>
              <strong>{counted(count, 'job', 'jobs')}</strong>
              <LabelList labels={labels} />
            </div>
            {served ? null : (
              <p className={styles.problem}>No runner that is online and not paused has these labels.</p>
            )}
            <RowFacts>
              <span>
                Waiting since <RelativeDate value={oldest_queued_at} />
              </span>
            </RowFacts>
          </ListRow>
        ))}
      </ListBox>
    </div>
  )
}
