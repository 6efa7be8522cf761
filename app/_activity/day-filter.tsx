'use client'
import { usePathname, useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, FormControl, TextInput } from '@/app/_components/primer'
import { useDebounced } from '@/app/_lib/use-debounced'
import styles from './day-filter.module.css'

interface DayFilterProps {
  /** The day in the address, as YYYY-MM-DD, or nothing. */
  date: string
  /** Heads the list that is filtered. */
  title: string
}

/** Narrows a feed to one day. The day is in the address; it follows the typing after a short pause. */
export function DayFilter({ date, title }: DayFilterProps): ReactNode {
  const router = useRouter()
  const pathname = usePathname()
  const [day, setDay] = useState(date)
  const [shown, setShown] = useState(date)
  // A year that is being typed is a date already.
  const settled = useDebounced(day, 400)

  // The address changed by other means, such as the browser's way back.
  if (date !== shown) {
    setShown(date)
    setDay(date)
  }
  useEffect(() => {
    if (settled === date || settled !== day) return
    router.replace(settled ? `${pathname}?date=${settled}` : pathname, { scroll: false })
  }, [settled, day, date, pathname, router])

  return (
    <div className={styles.bar}>
      <h2 className={styles.title}>{title}</h2>
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
