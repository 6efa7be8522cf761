'use client'
import { ShieldLockIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { tokensQuery } from '@/app/_lib/queries'
import { TokenRow } from './token-row'

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
