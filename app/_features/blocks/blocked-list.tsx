'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox, ListRow } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { BlockedIcon } from '@/app/_components/icons'
import { TextLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Button } from '@/app/_components/primer'
import { UserAvatar } from '@/app/_components/user-avatar'
import { type Blocker, blocksKey, blocksQuery } from '@/app/_lib/queries/blocks'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'

interface BlockedListProps {
  /** Organization whose blocked users are listed; undefined for the viewer's own. */
  org?: Blocker
  page: number
}

export function BlockedList({ org, page }: BlockedListProps): ReactNode {
  const { data } = useQuery({ ...blocksQuery(org, page), placeholderData: keepPreviousData })
  if (!data) return <ListSkeleton />

  return (
    <>
      {data.total === 0 ? (
        <EmptyState
          icon={BlockedIcon}
          title={org ? `${org} hasn’t blocked anyone` : 'You haven’t blocked anyone'}
        />
      ) : (
        <ListBox title="Blocked users" total={data.total}>
          {data.items.map(({ id, login, full_name }) => (
            <ListRow
              key={id}
              visual={<UserAvatar id={id} size={32} />}
              action={<UnblockButton org={org} username={login} />}
            >
              <strong>
                <TextLink href={`/${login}`}>{login}</TextLink>
              </strong>
              {full_name ? (
                <div>
                  <bdi>{full_name}</bdi>
                </div>
              ) : null}
            </ListRow>
          ))}
        </ListBox>
      )}
      <Pager label="Pages of blocked users" page={page} limit={data.limit} total={data.total} />
    </>
  )
}

function UnblockButton({ org, username }: { org: Blocker; username: string }): ReactNode {
  const queryClient = useQueryClient()
  const unblock = useUndoable({
    act: () =>
      org === undefined
        ? trpc.blocks.unblock.mutate({ username })
        : trpc.blocks.unblockForOrg.mutate({ org, username }),
    undo: () =>
      org === undefined
        ? trpc.blocks.block.mutate({ username })
        : trpc.blocks.blockForOrg.mutate({ org, username }),
    done: `Unblocked ${username}`,
    refresh: () => queryClient.invalidateQueries({ queryKey: blocksKey }),
  })

  return (
    <Button
      size="small"
      aria-label={`Unblock ${username}`}
      loading={unblock.isPending}
      onClick={unblock.onClick}
    >
      Unblock
    </Button>
  )
}
