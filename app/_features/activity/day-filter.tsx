'use client'
import type { ReactNode } from 'react'
import { Button, FormControl, TextInput } from '@/app/_components/primer'
import { useQueryText } from '@/app/_components/query-controls'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import styles from './activity.module.css'

interface DayFilterProps {
  /** The selected day as YYYY-MM-DD, in UTC; empty for all days. */
  date: string
  title: string | undefined
}

/** Date field that limits a feed to one day, which becomes part of the URL. */
export function DayFilter({ date, title }: DayFilterProps): ReactNode {
  const [day, setDay] = useQueryText('date', date)
  const hydrated = useHydrated()
  return (
    <div className={styles.bar}>
      {title ? <h2 className={styles.title}>{title}</h2> : null}
      <div className={styles.filter}>
        <FormControl>
          <FormControl.Label>Day (UTC)</FormControl.Label>
          <TextInput
            type="date"
            readOnly={!hydrated}
            value={day}
            onChange={event => setDay(event.target.value)}
          />
        </FormControl>
        {day ? <Button onClick={() => setDay('')}>Show all days</Button> : null}
      </div>
    </div>
  )
}
