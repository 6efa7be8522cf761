'use client'
import { changeListChoice, type ListChoice, type ListSpec, readListChoice } from './list-choice'
import { useAddress } from './workarounds/navigation-queue'

/** State of any list. */
type AnyChoice = { q: string; sort: string; page: number; limit: number } & Readonly<
  Record<string, string | number>
>

type Changes = Readonly<Record<string, string | number>>

export interface ListState<Choice extends AnyChoice = AnyChoice> {
  spec: ListSpec
  choice: Choice
  /** Whether there is a search text or a filter. */
  isNarrowed: boolean
  /** Changes the state without a new entry in the browser's history. */
  change: (changes: Changes) => void
  /** Turns to another page. The browser's Back button returns from it. */
  turnTo: (page: number) => void
  /** Clears the search text and filters, but keeps the sort order. */
  clear: () => void
}

/** State of a list in the URL. Changing it does not request the page again. */
export function useListChoice<S extends ListSpec>(spec: S): ListState<ListChoice<S>> {
  const [search, changeAddress] = useAddress()
  const choice = readListChoice(spec, name => search.get(name))
  const go = (how: 'pushState' | 'replaceState', changes: Changes): void =>
    changeAddress(how, params => changeListChoice(spec, params, changes))
  const everything = {
    q: '',
    ...Object.fromEntries(
      Object.entries(spec.filters).map(([name, { options }]) => [name, options[0].value]),
    ),
  }
  const selected: AnyChoice = choice
  return {
    spec,
    choice,
    isNarrowed: Object.entries(everything).some(([name, value]) => selected[name] !== value),
    change: changes => go('replaceState', changes),
    turnTo: page => go('pushState', { page }),
    clear: () => go('replaceState', everything),
  }
}
