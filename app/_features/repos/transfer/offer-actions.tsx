'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { trpc } from '@/app/_lib/trpc'

interface OfferedNames {
  owner: string
  repo: string
  recipient: string
}

interface OfferActionsProps extends OfferedNames {
  mayAccept: boolean
  mayCancel: boolean
}

/** What a viewer may do about a repository that waits for its recipient. */
export function OfferActions({ mayAccept, mayCancel, ...offer }: OfferActionsProps): ReactNode {
  return (
    <>
      {mayAccept ? <AcceptButton {...offer} /> : null}
      {mayAccept ? <DeclineButton {...offer} /> : null}
      {mayCancel ? <CancelButton {...offer} /> : null}
    </>
  )
}

function AcceptButton({ owner, repo, recipient }: OfferedNames): ReactNode {
  const router = useRouter()
  const name = `${owner}/${repo}`
  return (
    <ConfirmButton
      label="Accept…"
      name={`Accept ${name}`}
      size="small"
      variant="default"
      title={`Accept ${name}?`}
      confirm="Accept repository"
      run={() => trpc.repos.transfer.accept.mutate({ owner, repo })}
      done={`${name} belongs to ${recipient} now`}
      // On the repository, its old address leads on.
      onDone={() => router.refresh()}
    >
      <p>It will be {`${recipient}/${repo}`}, with its branches, releases, collaborators and history.</p>
      <p>
        Its workflows come with it: from then on they run on the runners of {recipient}, with the secrets of{' '}
        {recipient}. Accept only from people you trust.
      </p>
    </ConfirmButton>
  )
}

function DeclineButton({ owner, repo }: OfferedNames): ReactNode {
  const router = useRouter()
  const name = `${owner}/${repo}`
  return (
    <ConfirmButton
      label="Decline…"
      name={`Decline ${name}`}
      size="small"
      title={`Decline ${name}?`}
      confirm="Decline repository"
      run={() => trpc.repos.transfer.decline.mutate({ owner, repo })}
      done={`Declined ${name}`}
      onDone={() => router.refresh()}
    >
      <p>It stays where it is. Its owner can offer it again.</p>
    </ConfirmButton>
  )
}

function CancelButton({ owner, repo, recipient }: OfferedNames): ReactNode {
  const router = useRouter()
  const name = `${owner}/${repo}`
  return (
    <ConfirmButton
      label="Cancel transfer…"
      name={`Cancel the transfer of ${name}`}
      size="small"
      variant="default"
      title={`Cancel the transfer of ${name}?`}
      confirm="Cancel transfer"
      dismiss="Keep waiting"
      run={() => trpc.repos.transfer.cancel.mutate({ owner, repo })}
      done={`${name} stays where it is`}
      onDone={() => router.refresh()}
    >
      <p>{recipient} can no longer accept it. Nothing else changes.</p>
    </ConfirmButton>
  )
}
