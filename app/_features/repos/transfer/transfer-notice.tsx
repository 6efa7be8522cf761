import type { ReactNode } from 'react'
import { RelativeDate } from '@/app/_components/relative-date'
import type { RepositoryHome } from '@/server/repos/schema'
import { OfferActions } from './offer-actions'
import styles from './transfer.module.css'

interface TransferNoticeProps {
  repository: RepositoryHome['repository']
  transfer: NonNullable<RepositoryHome['transfer']>
}

/** Notice at the top of every page of a repository with a pending transfer. */
export function TransferNotice({ repository, transfer }: TransferNoticeProps): ReactNode {
  const { recipient, doer, teams, created_at, may_accept: mayAccept, may_cancel: mayCancel } = transfer
  const { owner, name } = repository
  return (
    <section className={styles.notice} aria-label="Pending transfer">
      <div className={styles.text}>
        <strong>
          {mayAccept
            ? `${doer} wants to transfer this repository to ${recipient}`
            : `Waiting for ${recipient} to accept this repository`}
        </strong>
        <span className={styles.muted}>
          Offered <RelativeDate value={created_at} />
          {mayAccept ? '' : ` by ${doer}`}
          {teams.length > 0
            ? `; the ${teams.length === 1 ? 'team' : 'teams'} ${teams.join(', ')} will get access`
            : ''}
          .
        </span>
      </div>
      <div className={styles.actions}>
        <OfferActions owner={owner.login} repo={name} {...{ recipient, mayAccept, mayCancel }} />
      </div>
    </section>
  )
}
