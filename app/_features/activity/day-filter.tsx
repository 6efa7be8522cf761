'use client'
import type { ReactNode } from 'react'
import { Button, FormControl, TextInput } from '@/app/_components/primer'
import { useQueryText } from '@/app/_components/query-controls'
import styles from './activity.module.css'

interface DayFilterProps {
  /** The day in the address, as YYYY-MM-DD, or nothing. */
  date: string
  /** Heads the list that is filtered, where nothing else does. */
  title?: string
}

/** Narrows a feed to one day. The day is in the address. */
export function DayFilter({ date, title }: DayFilterProps): ReactNode {
  const [day, setDay] = useQueryText('date', date)
  return (
    <div className={styles.bar}>
      {title ? <h2 className={styles.title}>{title}</h2> : null}
      <div className={styles.filter}>
        <FormControl>
          <FormControl.Label>Day (UTC)</FormControl.Label>
          <TextInput type="date" value={day} onChange={event => setDay(event.target.value)} />
        </FormControl>
        {day ? <Button onClick={() => setDay('')}>Show all days</Button> : null}
      </div>
    </div>
  )
}
