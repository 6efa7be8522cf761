import { whyPage } from '@/app/_features/hooks/pages/why-page'
import { placeOfSite } from '@/app/_features/places/read-place'

export const metadata = { title: 'Events for webhooks' }

export default whyPage(placeOfSite)
