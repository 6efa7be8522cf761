const term = (words, say) => ({ pattern: new RegExp(`(^|-)(${words})(-|$)`), say })

/** What names do not say, as words joined by hyphens, and the standard term in its place. */
export const replacedTerms = [
  term('departures?|way-out', 'removal, or removal target'),
  term('finding|finder', 'search'),
  term('leave-behind', 'revoke'),
  term('handed|hand-over|hand-in', 'start, finish or assign'),
  term('untold', 'missing'),
  term('told|tells?|telling', 'notify, send, publish or report'),
  term('standings?', 'eligibility, rights or state'),
  term('wanted-end', 'expiry'),
  term('explain-(gone|taken)', 'map an error'),
  term('patien(ce|t)|silence', 'timeout'),
  term('talk', 'negotiation'),
  term('at-once', 'concurrency, concurrent or batch'),
  term('usual', 'default'),
  term('calm', 'stable'),
  term('chosen', 'selected'),
  term('given', 'granted, provided, or what it is'),
  term('gone', 'deleted or disconnected'),
  term('taken', 'in use, claimed or received'),
  term('beside', 'alongside'),
  term('spelling', 'suggestions'),
  term('judged?|judges', 'authorize or evaluate'),
  term('places?|placed', 'scope, owner, location, position, cursor or index'),
  term('whoever', 'who it is'),
]

const reasons = /^(server\/kernel\/errors|app\/_lib\/failure)\.ts$/

/** Names that stay, as they are stored, sent or in addresses. */
export const allowedUses = [
  // Reasons of errors, which clients of the pages know.
  { name: 'gone', in: reasons },
  { name: 'nameTaken', in: reasons },
  { name: 'emailTaken', in: reasons },
  { name: 'keyTaken', in: reasons },
  // Stored: why a webhook is disabled, what a delivery was not sent for, and what a run of a job counts.
  { name: 'gone', in: /^app\/_features\/hooks\/hook-state\.tsx$/ },
  { name: 'event_not_chosen', in: /hooks\// },
  { name: 'taken', in: /^server\/repos\/storage\/sweep\.ts$/ },
  { name: 'not_taken', in: /^app\/_features\/actions\/progress\.ts$/ },
  // In addresses and operation ids.
  {
    name: 'place',
    in: /^(app\/-\/admin\/events|app\/_features\/administration|server\/audit|server\/api\/event-exports)\//,
  },
  { name: 'places', in: /^server\/actions\/router\.ts$/ },
]
