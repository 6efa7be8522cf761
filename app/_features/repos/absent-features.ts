interface AbsentFeature {
  /** First parts of addresses below a repository at which other forges show it. */
  names: readonly string[]
  title: string
  text: string
  /** Page of the repository to go to instead. */
  instead: { at: string; label: string }
}

const home = { at: '', label: 'Go to the repository’s home page' }
const activity = { at: 'activity', label: 'See the latest activity' }

const features: readonly AbsentFeature[] = [
  {
    names: ['issues', 'milestones', 'milestone', 'discussions'],
    title: 'Guildhall has no issue tracker',
    text: 'The README file of a repository often says where to report problems.',
    instead: home,
  },
  {
    names: ['pulls', 'pull'],
    title: 'Guildhall has no pull requests',
    text: 'Push your changes to a branch, and share a comparison with it.',
    instead: home,
  },
  {
    names: ['wiki'],
    title: 'Guildhall has no wikis',
    text: 'Documentation can be kept as files in the repository.',
    instead: home,
  },
  {
    names: ['projects'],
    title: 'Guildhall has no project boards',
    text: 'What happens in the repository is listed as its activity.',
    instead: activity,
  },
  {
    names: ['packages'],
    title: 'Guildhall has no package registry',
    text: 'Files for download can be attached to releases.',
    instead: home,
  },
  {
    names: ['pulse', 'graphs', 'insights', 'stargazers', 'watchers', 'stars', 'forks'],
    title: 'Guildhall has no statistics of repositories',
    text: 'What happens in the repository is listed as its activity.',
    instead: activity,
  },
]

/** Returns what a page of a repository says at an address where other forges have a page, or none has. */
export const absentFeature = (name: string): Omit<AbsentFeature, 'names'> =>
  features.find(({ names }) => names.includes(name)) ?? {
    title: 'Page not found',
    text: 'This repository has no page with this address.',
    instead: home,
  }
