'use client'
import type { ReactNode } from 'react'
import { ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { CopyButton } from '@/app/_components/copy-button'
import { ExpiryFact, ExpiryLabel } from '@/app/_components/expiry'
import { KeyIcon } from '@/app/_components/icons'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import type { ListedDeployKey } from '@/server/keys/deploy/schema'
import type { ListedKey } from '@/server/keys/schema'
import { keyKindLabel } from './key-kind'
import styles from './keys.module.css'

interface KeyRowProps {
  publicKey: ListedKey | ListedDeployKey
  /** Checkbox that selects the row. */
  check: ReactNode
  /** Time of the last use; null if the key was never used. */
  lastUsedAt: string | null
  isRecent?: boolean
  /** Label after the title, before the labels that every key has. */
  label?: ReactNode
  action: ReactNode
  /** Whether the key was just added. */
  isNew: boolean
}

/** List row for an SSH key or deploy key. */
export function KeyRow({
  publicKey,
  check,
  lastUsedAt,
  isRecent = false,
  label,
  action,
  isNew,
}: KeyRowProps): ReactNode {
  const { title, algorithm, bits, fingerprint, created_at, last_used_address, expires_at } = publicKey
  return (
    <ListRow
      isNew={isNew}
      check={check}
      visual={
        <span className={isRecent ? styles.recent : styles.idle}>
          <KeyIcon size={24} />
        </span>
      }
      action={action}
    >
      <RowTitle name={title}>
        {label}
        <Label>{keyKindLabel(algorithm, bits)}</Label>
        <ExpiryLabel value={expires_at} />
      </RowTitle>
      <Fingerprint value={fingerprint} />
      <RowFacts>
        <span>
          Added <RelativeDate value={created_at} />
        </span>
        {lastUsedAt ? (
          <span>
            Last used <RelativeDate value={lastUsedAt} />
            {last_used_address ? ` from ${last_used_address}` : null}
          </span>
        ) : (
          <span>Never used</span>
        )}
        {expires_at ? <ExpiryFact value={expires_at} /> : null}
      </RowFacts>
    </ListRow>
  )
}

export function Fingerprint({ value }: { value: string }): ReactNode {
  return (
    <div className={styles.fingerprint}>
      <code className={styles.value}>{value}</code>
      <CopyButton text={value} what="fingerprint" />
    </div>
  )
}
