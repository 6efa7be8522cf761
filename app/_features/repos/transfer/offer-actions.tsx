'use client'
import { type ReactNode, useState } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { trpc } from '@/app/_lib/trpc'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'

interface OfferedNames {
  owner: string
  repo: string
  recipient: string
}

interface AnswerProps extends OfferedNames {
  onDone: () => void
}

interface OfferActionsProps extends OfferedNames {
  mayAccept: boolean
  mayCancel: boolean
}

/** What a viewer may do about a repository that waits for its recipient. */
export function OfferActions({ mayAccept, mayCancel, ...names }: OfferActionsProps): ReactNode {
  const [isAnswered, setAnswered] = useState(false)
  // It waits no more, though the page still shows it until it is fetched again.
  if (isAnswered) return null
  const onDone = (): void => {
    setAnswered(true)
    // On the repository, its old address leads on.
    refreshPage()
  }
  const offer = { ...names, onDone }
  return (
    <>
      {mayAccept ? <AcceptButton {...offer} /> : null}
      {mayAccept ? <DeclineButton {...offer} /> : null}
      {mayCancel ? <CancelButton {...offer} /> : null}
    </>
  )
}

function AcceptButton({ owner, repo, recipient, onDone }: AnswerProps): ReactNode {
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
      onDone={onDone}
    >
      <p>It will be {`${recipient}/${repo}`}, with its branches, releases, collaborators and history.</p>
      <p>
        Its workflows are off until an owner turns them on, because they would run on the runners of{' '}
        {recipient}, with the secrets of {recipient}.
      </p>
    </ConfirmButton>
  )
}

function DeclineButton({ owner, repo, onDone }: AnswerProps): ReactNode {
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
      onDone={onDone}
    >
      <p>It stays where it is. Its owner can offer it again.</p>
    </ConfirmButton>
  )
}

function CancelButton({ owner, repo, recipient, onDone }: AnswerProps): ReactNode {
  const name = `${owner}/${repo}`
  return (
    <ConfirmButton
      label="Cancel transfer…"
      name={`Cancel transfer of ${name}`}
      size="small"
      variant="default"
      title={`Cancel the transfer of ${name}?`}
      confirm="Cancel transfer"
      dismiss="Keep waiting"
      run={() => trpc.repos.transfer.cancel.mutate({ owner, repo })}
      done={`${name} stays where it is`}
      onDone={onDone}
    >
      <p>{recipient} can no longer accept it. Nothing else changes.</p>
    </ConfirmButton>
  )
}
