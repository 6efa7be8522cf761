'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { BulkButton } from '@/app/_components/bulk-button'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { EmptyState } from '@/app/_components/empty-state'
import { ExpiryFact, ExpiryLabel } from '@/app/_components/expiry'
import { ShieldLockIcon } from '@/app/_components/icons'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { WorkList } from '@/app/_components/work-list'
import { isNever } from '@/app/_lib/format'
import { tokenList } from '@/app/_lib/lists'
import { tokensKey, tokensQuery } from '@/app/_lib/queries/tokens'
import { trpc } from '@/app/_lib/trpc'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import { isolated } from '@/app/_lib/visible-text'
import type { ExpiringToken } from '@/server/tokens/schema'
import { scopeLabel } from './scopes'
import styles from './tokens.module.css'

interface TokenListProps {
  username: string
  onDeleted: (ids: readonly number[]) => void
}

export function TokenList({ username, onDeleted }: TokenListProps): ReactNode {
  const list = useListChoice(tokenList)
  const rows = useListRows(tokensQuery(username, list.choice))

  return (
    <WorkList<ExpiringToken>
      title="Access tokens"
      noun="token"
      icon={ShieldLockIcon}
      list={list}
      rows={rows}
      idOf={token => token.id}
      nameOf={token => token.name}
      empty={
        <EmptyState icon={ShieldLockIcon} title="No access tokens yet">
          <p>Scripts, CI jobs, and command-line tools can use a token instead of your password.</p>
        </EmptyState>
      }
      row={(token, check) => (
        <TokenRow key={token.id} username={username} token={token} check={check} onDeleted={onDeleted} />
      )}
      bulk={{
        takes: () => true,
        actions: (tokens, done) => (
          <RevokeSeveralButton
            username={username}
            tokens={tokens}
            onDeleted={ids => {
              done()
              onDeleted(ids)
            }}
          />
        ),
      }}
    />
  )
}

interface TokenRowProps extends RevokeButtonProps {
  check: ReactNode
}

function TokenRow({ username, token, check, onDeleted }: TokenRowProps): ReactNode {
  const { name, scopes, token_last_eight, created_at, last_used_at, expires_at } = token
  return (
    <ListRow
      check={check}
      visual={<ShieldLockIcon size={24} />}
      action={<RevokeButton username={username} token={token} onDeleted={onDeleted} />}
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

interface RevokeButtonProps {
  username: string
  token: ExpiringToken
  onDeleted: (ids: readonly number[]) => void
}

function RevokeButton({ username, token, onDeleted }: RevokeButtonProps): ReactNode {
  const queryClient = useQueryClient()
  const { id, name, token_last_eight } = token
  return (
    <ConfirmButton
      label="Revoke"
      name={`Revoke ${name}`}
      size="small"
      title={`Revoke the token “${isolated(name)}”?`}
      confirm="Revoke token"
      run={() => trpc.tokens.remove.mutate({ username, token: String(id) })}
      done={`Revoked the token “${isolated(name)}”`}
      onDone={async () => {
        await queryClient.invalidateQueries({ queryKey: tokensKey(username) })
        onDeleted([id])
      }}
    >
      <p>
        Anything that uses the token ending in <code>{token_last_eight}</code> immediately loses access. This
        can’t be undone.
      </p>
    </ConfirmButton>
  )
}

interface RevokeSeveralButtonProps {
  username: string
  tokens: readonly ExpiringToken[]
  onDeleted: (ids: readonly number[]) => void
}

function RevokeSeveralButton({ username, tokens, onDeleted }: RevokeSeveralButtonProps): ReactNode {
  const queryClient = useQueryClient()
  const ids = tokens.map(({ id }) => id)
  return (
    <BulkButton
      verb="Revoke"
      done="Revoked"
      nouns={['token', 'tokens']}
      names={tokens.map(({ name }) => name)}
      run={() => trpc.tokens.removeSeveral.mutate({ username, ids })}
      onDone={async () => {
        onDeleted(ids)
        await queryClient.invalidateQueries({ queryKey: tokensKey(username) })
      }}
    >
      <p>
        Anything that uses {ids.length === 1 ? 'it' : 'one of them'} immediately loses access. This can’t be
        undone.
      </p>
    </BulkButton>
  )
}
