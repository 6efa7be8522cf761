'use client'
import { usePathname, useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { ButtonLink } from '@/app/_components/button-link'
import { FormControl, TextInput } from '@/app/_components/primer'
import styles from './date-filter.module.css'

/** Narrows a feed to one day. */
export function DateFilter({ date }: { date: string }): ReactNode {
  const router = useRouter()
  const pathname = usePathname()
  const [chosen, setChosen] = useState(date)

  const choose = (day: string): void => {
    setChosen(day)
    router.replace(day === '' ? pathname : `${pathname}?date=${day}`, { scroll: false })
  }
  return (
    <div className={styles.filter}>
      <FormControl>
        <FormControl.Label>Day (UTC)</FormControl.Label>
        <TextInput type="date" value={chosen} onChange={event => choose(event.target.value)} />
      </FormControl>
      {date === '' ? null : <ButtonLink href={pathname}>All days</ButtonLink>}
    </div>
  )
}
