'use client'
import { KeyIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { CommandLine } from '@/app/_components/command-line'
import { EmptyState } from '@/app/_components/empty-state'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { type KeyOwner, keysQuery } from '@/app/_lib/queries'
import { KeyRow } from './key-row'

interface KeyListProps {
  owner: KeyOwner
  page: number
  mayManage: boolean
  /** The key that was added just now. */
  addedId: number | undefined
  /** Beside the empty state's explanation. */
  addButton: ReactNode
}

export function KeyList({ owner, page, mayManage, addedId, addButton }: KeyListProps): ReactNode {
  const { data } = useQuery({ ...keysQuery(owner, page), placeholderData: keepPreviousData })
  if (!data) return <ListSkeleton />

  return (
    <>
      {data.total === 0 ? (
        <EmptyState
          icon={KeyIcon}
          title={owner.mine ? 'No SSH keys yet' : `${owner.username} has no SSH keys`}
          action={addButton}
        >
          {owner.mine && mayManage ? <FirstKeyHelp /> : null}
        </EmptyState>
      ) : (
        <ListBox title="SSH keys" total={data.total}>
          {data.items.map(key => (
            <KeyRow
              key={key.id}
              owner={owner}
              publicKey={key}
              mayDelete={mayManage}
              isNew={key.id === addedId}
            />
          ))}
        </ListBox>
      )}
      <Pager label="Pages of SSH keys" page={page} limit={data.limit} total={data.total} />
    </>
  )
}

/** How to get a key, for somebody who never made one. */
function FirstKeyHelp(): ReactNode {
  return (
    <>
      <p>An SSH key proves who you are without a password. Make one in a terminal:</p>
      <CommandLine command={'ssh-keygen -t ed25519 -C "you@example.com"'} />
      <p>Then print its public half and copy the line:</p>
      <CommandLine command="cat ~/.ssh/id_ed25519.pub" />
    </>
  )
}
