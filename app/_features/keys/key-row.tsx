'use client'
import { KeyIcon } from '@primer/octicons-react'
import type { MouseEvent, ReactNode } from 'react'
import { ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { Fingerprint } from '@/app/_components/fingerprint'
import { Button, Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { isNever } from '@/app/_lib/format'
import { kindOfKey } from '@/app/_lib/key-kind'
import type { PublicKey } from '@/server/keys/schema'
import styles from './key-row.module.css'

interface KeyRowProps {
  publicKey: PublicKey
  onDelete: ((event: MouseEvent<HTMLElement>) => void) | undefined
  isNew: boolean
}

export function KeyRow({ publicKey, onDelete, isNew }: KeyRowProps): ReactNode {
  const { title, key, fingerprint, created_at, last_used_at } = publicKey
  return (
    <ListRow
      isNew={isNew}
      visual={
        <span className={isRecentlyUsed(publicKey) ? styles.recent : styles.idle}>
          <KeyIcon size={24} />
        </span>
      }
      action={
        onDelete ? (
          <Button variant="danger" size="small" aria-label={`Delete ${title}`} onClick={onDelete}>
            Delete
          </Button>
        ) : null
      }
    >
      <RowTitle name={title}>
        <Label>{kindOfKey(key)}</Label>
      </RowTitle>
      <Fingerprint value={fingerprint} />
      <RowFacts>
        <span>
          Added <RelativeDate value={created_at} />
        </span>
        {isUsed(publicKey) ? (
          <span>
            Last used <RelativeDate value={last_used_at} />
          </span>
        ) : (
          <span>Never used</span>
        )}
      </RowFacts>
    </ListRow>
  )
}

const week = 7 * 24 * 60 * 60 * 1000

/** An unused key repeats the time it was added. */
function isUsed({ created_at, last_used_at }: PublicKey): boolean {
  return last_used_at !== created_at && !isNever(last_used_at)
}

function isRecentlyUsed(key: PublicKey): boolean {
  return isUsed(key) && Date.now() - Date.parse(key.last_used_at) < week
}
