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

/** Buttons to accept, decline, or cancel a pending transfer, depending on what the viewer can do. */
export function OfferActions({ mayAccept, mayCancel, ...names }: OfferActionsProps): ReactNode {
  const [isAnswered, setAnswered] = useState(false)
  // The transfer is over, although the page shows it until it is refetched.
  if (isAnswered) return null
  const onDone = (): void => {
    setAnswered(true)
    // On a page of the transferred repository, this follows the redirect to its new URL.
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
      done={`Transferred ${name} to ${recipient}`}
      onDone={onDone}
    >
      <p>
        The repository will become {`${recipient}/${repo}`} and keep its branches, releases, collaborators,
        and history.
      </p>
      <p>
        Its workflows will be turned off until an owner turns them on. They’ll then run on {recipient}’s
        runners with {recipient}’s secrets.
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
      <p>The repository will stay with its current owner, who can offer it again.</p>
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
      dismiss="Keep transfer"
      run={() => trpc.repos.transfer.cancel.mutate({ owner, repo })}
      done={`Canceled the transfer of ${name}`}
      onDone={onDone}
    >
      <p>{recipient} will no longer be able to accept the repository. Nothing else will change.</p>
    </ConfirmButton>
  )
}
