'use client'
import { ShieldLockIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox, ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { EmptyState } from '@/app/_components/empty-state'
import { ExpiryFact, ExpiryLabel } from '@/app/_components/expiry'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { isNever } from '@/app/_lib/format'
import { tokensKey, tokensQuery } from '@/app/_lib/queries/tokens'
import { trpc } from '@/app/_lib/trpc'
import type { ExpiringToken } from '@/server/tokens/schema'
import { scopeLabel } from './scopes'
import styles from './tokens.module.css'

interface TokenListProps {
  username: string
  page: number
  onGone: (id: number) => void
}

export function TokenList({ username, page, onGone }: TokenListProps): ReactNode {
  const { data } = useQuery({ ...tokensQuery(username, page), placeholderData: keepPreviousData })
  if (!data) return <ListSkeleton />

  return (
    <>
      {data.total === 0 ? (
        <EmptyState icon={ShieldLockIcon} title="No access tokens yet">
          <p>Scripts, build jobs and command-line clients sign in with a token instead of your password.</p>
        </EmptyState>
      ) : (
        <ListBox title="Access tokens" total={data.total}>
          {data.items.map(token => (
            <TokenRow key={token.id} username={username} token={token} onGone={onGone} />
          ))}
        </ListBox>
      )}
      <Pager label="Pages of access tokens" page={page} limit={data.limit} total={data.total} />
    </>
  )
}

interface TokenRowProps {
  username: string
  token: ExpiringToken
  onGone: (id: number) => void
}

function TokenRow({ username, token, onGone }: TokenRowProps): ReactNode {
  const { name, scopes, token_last_eight, created_at, last_used_at, expires_at } = token
  return (
    <ListRow
      visual={<ShieldLockIcon size={24} />}
      action={<RevokeButton username={username} token={token} onGone={onGone} />}
    >
      <RowTitle name={name}>
        <code className={styles.ending}>…{token_last_eight}</code>
        <ExpiryLabel value={expires_at} />
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
        <ExpiryFact value={expires_at} />
      </RowFacts>
    </ListRow>
  )
}

function RevokeButton({ username, token, onGone }: TokenRowProps): ReactNode {
  const queryClient = useQueryClient()
  const { id, name, token_last_eight } = token
  return (
    <ConfirmButton
      label="Revoke"
      name={`Revoke ${name}`}
      size="small"
      title={`Revoke the token “${name}”?`}
      confirm="Revoke token"
      run={() => trpc.tokens.remove.mutate({ username, token: String(id) })}
      done={`Revoked the token “${name}”`}
      onDone={async () => {
        await queryClient.invalidateQueries({ queryKey: tokensKey(username) })
        onGone(id)
      }}
    >
      <p>
        Every program that uses the token ending in <code>{token_last_eight}</code> stops working at once.
        This cannot be undone.
      </p>
    </ConfirmButton>
  )
}
