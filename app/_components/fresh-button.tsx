'use client'
import type { ReactNode } from 'react'
import { counted } from '@/app/_lib/format'
import type { StableRows } from '@/app/_lib/use-stable-rows'
import styles from './fresh-button.module.css'
import { Button } from './primer'

interface FreshButtonProps {
  rows: Pick<StableRows<never>, 'fresh' | 'isBehind' | 'catchUp'>
  /** Singular and plural noun for a row. */
  one: string
  many: string
}

/** Button that shows new rows of a list or removes deleted ones. Renders nothing if the list is current. */
export function FreshButton({ rows, one, many }: FreshButtonProps): ReactNode {
  const { fresh, isBehind, catchUp } = rows
  return (
    <div role="status" className={styles.fresh}>
      {isBehind ? (
        <Button size="small" onClick={catchUp}>
          {fresh > 0 ? `Show ${counted(fresh, `new ${one}`, `new ${many}`)}` : 'Show changes'}
        </Button>
      ) : null}
    </div>
  )
}
