import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { OfferActions } from '@/app/_features/repos/transfer/offer-actions'
import type { Offer, Offers as OffersShown } from '@/server/repos/transfer/schema'
import styles from './offers.module.css'

/**
 * Pending transfers: repositories offered to the viewer, and repositories that the viewer offered to others.
 */
export function Offers({ received, sent }: OffersShown): ReactNode {
  const ids = new Set(received.map(({ id }) => id))
  const others = sent.filter(({ id }) => !ids.has(id))
  const total = received.length + others.length
  if (total === 0) return null
  return (
    <div id="transfers" className={styles.offers}>
      <ListBox title="Transfers" total={total}>
        {received.map(offer => (
          <OfferRow key={offer.id} offer={offer} mayAccept />
        ))}
        {others.map(offer => (
          <OfferRow key={offer.id} offer={offer} mayAccept={false} />
        ))}
      </ListBox>
    </div>
  )
}

function OfferRow({ offer, mayAccept }: { offer: Offer; mayAccept: boolean }): ReactNode {
  const { owner, repo, recipient, doer, created_at } = offer
  const name = `${owner}/${repo}`
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        {mayAccept ? (
          <span>
            {doer} wants to transfer <strong>{name}</strong> to {recipient}
          </span>
        ) : (
          <span>
            <strong>
              <QuietLink href={`/${name}`}>{name}</QuietLink>
            </strong>{' '}
            is waiting for {recipient} to accept it
          </span>
        )}
        <span className={styles.muted}>
          Offered <RelativeDate value={created_at} />
        </span>
      </div>
      <div className={styles.actions}>
        <OfferActions
          owner={owner}
          repo={repo}
          recipient={recipient}
          mayAccept={mayAccept}
          mayCancel={!mayAccept}
        />
      </div>
    </li>
  )
}
