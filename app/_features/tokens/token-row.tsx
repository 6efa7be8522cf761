'use client'
import { ShieldLockIcon } from '@primer/octicons-react'
import type { MouseEvent, ReactNode } from 'react'
import { ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { Button, Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { isNever } from '@/app/_lib/format'
import type { ExpiringToken } from '@/server/tokens/schema'
import { scopeLabel } from './scope-labels'
import styles from './token-row.module.css'

interface TokenRowProps {
  token: ExpiringToken
  onRevoke: (event: MouseEvent<HTMLElement>) => void
}

export function TokenRow({ token, onRevoke }: TokenRowProps): ReactNode {
  const { name, scopes, token_last_eight, created_at, last_used_at, expires_at } = token
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now()
  return (
    <ListRow
      visual={<ShieldLockIcon size={24} />}
      action={
        <Button variant="danger" size="small" aria-label={`Revoke ${name}`} onClick={onRevoke}>
          Revoke
        </Button>
      }
    >
      <RowTitle name={name}>
        <code className={styles.ending}>…{token_last_eight}</code>
        {isOver ? <Label variant="danger">Expired</Label> : null}
      </RowTitle>
      <ul className={styles.scopes} aria-label="Permissions">
        {scopes.map(scope => (
          <li key={scope}>
            <Label variant={scope === 'all' ? 'attention' : 'secondary'}>{scopeLabel(scope)}</Label>
          </li>
        ))}
      </ul>
      <RowFacts>
        <span>
          Created <RelativeDate value={created_at} />
        </span>
        {isNever(last_used_at) ? (
          <span>Never used</span>
        ) : (
          <span>
            Last used <RelativeDate value={last_used_at} />
          </span>
        )}
        {expires_at === null ? (
          <span>Never expires</span>
        ) : (
          <span>
            {isOver ? 'Expired ' : 'Expires '}
            <RelativeDate value={expires_at} future={!isOver} />
          </span>
        )}
      </RowFacts>
    </ListRow>
  )
}
