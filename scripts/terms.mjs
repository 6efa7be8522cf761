const term = (words, say) => ({ pattern: new RegExp(`(^|-)(${words})(-|$)`), say })

/**
 * Terms that are discouraged in names, as patterns of lowercase words joined by hyphens, with the terms to
 * use instead.
 */
export const replacedTerms = [
  term('departures?|way-out', 'removal or removal target'),
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
  term('given', 'granted, provided or a specific noun'),
  term('gone', 'deleted or disconnected'),
  term('taken', 'in use, claimed or received'),
  term('beside', 'alongside'),
  term('spelling', 'suggestions'),
  term('judged?|judges', 'authorize or evaluate'),
  term('places?|placed', 'scope, owner, location, position, cursor or index'),
  term('whoever', 'a specific noun'),
]

const reasons = /^(server\/kernel\/errors|app\/_lib\/failure)\.ts$/

/** Names that contain a discouraged term but stay, because they are stored, sent, or part of URLs. */
export const allowedUses = [
  // Error reasons, which the pages know.
  { name: 'gone', in: reasons },
  { name: 'nameTaken', in: reasons },
  { name: 'emailTaken', in: reasons },
  { name: 'keyTaken', in: reasons },
  // Stored values: the reason for disabling a webhook or skipping a delivery, and the counters of job runs.
  { name: 'gone', in: /^app\/_features\/hooks\/hook-state\.tsx$/ },
  { name: 'event_not_chosen', in: /hooks\// },
  { name: 'taken', in: /^server\/repos\/storage\/sweep\.ts$/ },
  { name: 'not_taken', in: /^server\/actions\/end-text\.ts$/ },
  // Parts of URLs and operation IDs.
  {
    name: 'place',
    in: /^(app\/-\/admin\/events|app\/_features\/administration|server\/audit|server\/api\/event-exports)\//,
  },
  { name: 'places', in: /^server\/actions\/router\.ts$/ },
]
