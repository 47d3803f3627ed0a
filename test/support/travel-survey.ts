/** A questionnaire of thirty questions with branches. What question 3, `transport`, is answered decides some of them and none of the others. */
export const TRAVEL_SURVEY = `
name: travel
description: Everything a travel agency wants to know.
blocks:
  - id: guest
    type: GetInput
    inputs: { prompt: "Who travels?" }
  - id: adults
    type: AskChoice
    inputs: { question: "How many adults?", choices: ["1", "2", "3 or more"] }
  - id: transport
    type: AskChoice
    depends_on: [guest]
    inputs: { question: "How do you travel, \${blocks.guest.input_value}?", choices: [train, plane, car] }
  - id: country
    type: GetInput
    depends_on: [guest]
    inputs: { prompt: "To which country?" }
  - id: city
    type: GetInput
    depends_on: [country]
    inputs: { prompt: "To which city in \${blocks.country.input_value}?" }
  - id: month
    type: AskChoice
    depends_on: [country]
    inputs: { question: "In which month?", choices: [May, June, July, August, September] }
  - id: seat
    type: AskChoice
    depends_on: [transport]
    condition: \${blocks.transport.choice} in ["train", "plane"]
    inputs: { question: "Which seat in the \${blocks.transport.choice}?", choices: [window, aisle] }
  - id: passport
    type: GetInput
    depends_on: [transport]
    condition: \${blocks.transport.choice} == "plane"
    inputs: { prompt: "What is the number of your passport?" }
  - id: luggage
    type: Form
    depends_on: [transport]
    condition: \${blocks.transport.choice} == "plane"
    inputs:
      prompt: What do you take along?
      fields:
        - { name: bags, type: integer }
        - { name: sports, type: boolean, required: false }
  - id: meal
    type: AskChoice
    depends_on: [{ block: luggage, required: true }]
    inputs: { question: "A meal on board?", choices: [none, vegetarian, anything] }
  - id: railcard
    type: ConfirmOperation
    depends_on: [transport]
    condition: \${blocks.transport.choice} == "train"
    inputs: { message: "Do you have a railcard?" }
  - id: bicycle
    type: ConfirmOperation
    depends_on: [{ block: railcard, required: true }]
    inputs: { message: "Does a bicycle come along?" }
  - id: plate
    type: GetInput
    depends_on: [transport]
    condition: \${blocks.transport.choice} == "car"
    inputs: { prompt: "What is the number plate?" }
  - id: ferry
    type: ConfirmOperation
    depends_on: [{ block: plate, required: true }]
    inputs: { message: "Is a ferry all right?" }
  - id: hotel
    type: AskChoice
    depends_on: [city]
    inputs: { question: "Where do you sleep in \${blocks.city.input_value}?", choices: [hotel, hostel, friends] }
  - id: stars
    type: AskChoice
    depends_on: [hotel]
    condition: \${blocks.hotel.choice} == "hotel"
    inputs: { question: "How many stars?", choices: ["2", "3", "4", "5"] }
  - id: breakfast
    type: ConfirmOperation
    depends_on: [{ block: stars, required: true }]
    inputs: { message: "With breakfast?" }
  - id: friends
    type: GetInput
    depends_on: [hotel]
    condition: \${blocks.hotel.choice} == "friends"
    inputs: { prompt: "At whose home?" }
  - id: nights
    type: Form
    depends_on: [hotel]
    inputs:
      prompt: How long?
      fields: [{ name: nights, type: integer }]
  - id: museums
    type: ConfirmOperation
    depends_on: [city]
    inputs: { message: "Do you like museums?" }
  - id: music
    type: ConfirmOperation
    depends_on: [city]
    inputs: { message: "Do you like concerts?" }
  - id: walks
    type: ConfirmOperation
    depends_on: [city]
    inputs: { message: "Do you like long walks?" }
  - id: guide
    type: AskChoice
    depends_on: [museums, music, walks]
    inputs: { question: "A guide?", choices: ["no", "yes"] }
  - id: language
    type: GetInput
    depends_on: [guide]
    condition: \${blocks.guide.choice} == "yes"
    inputs: { prompt: "In which language?" }
  - id: arrival
    type: GetInput
    depends_on: [transport, month]
    inputs: { prompt: "At which time in \${blocks.month.choice} does your \${blocks.transport.choice} arrive?" }
  - id: insurance
    type: AskChoice
    depends_on: [adults]
    inputs: { question: "An insurance?", choices: [none, basic, full] }
  - id: phone
    type: GetInput
    depends_on: [adults]
    inputs: { prompt: "What is your telephone number?" }
  - id: mail
    type: GetInput
    depends_on: [adults]
    inputs: { prompt: "What is your address of mail?" }
  - id: wishes
    type: GetInput
    depends_on: [insurance, phone, mail]
    inputs: { prompt: "Anything else?" }
  - id: summary
    type: PopulateTemplate
    depends_on:
      - transport
      - { block: arrival }
      - { block: wishes }
      - { block: seat, required: false }
    inputs:
      template: "{{ who }} goes by {{ how }}: {{ wish }}"
      variables:
        who: \${blocks.guest.input_value}
        how: \${blocks.transport.choice}
        wish: \${blocks.wishes.input_value}
  - id: book
    type: ConfirmOperation
    depends_on: [summary, nights, guide, { block: language, required: false }]
    inputs: { message: "Book this? \${blocks.summary.rendered}" }
outputs:
  summary: \${blocks.summary.rendered}
  booked: \${blocks.book.confirmed}
`;

/** An answer to each question. */
export const ANSWERS: { readonly [block: string]: unknown } = {
  guest: "Ada",
  adults: 2,
  transport: "train",
  country: "Portugal",
  city: "Porto",
  month: "June",
  seat: "window",
  passport: "X123",
  luggage: { bags: 2 },
  meal: "none",
  railcard: "yes",
  bicycle: "no",
  plate: "AB 12",
  ferry: "yes",
  hotel: "hotel",
  stars: "3",
  breakfast: "yes",
  friends: "Maria",
  nights: { nights: 4 },
  museums: "yes",
  music: "no",
  walks: "yes",
  guide: "yes",
  language: "English",
  arrival: "noon",
  insurance: "basic",
  phone: "5551234",
  mail: "ada@example.org",
  wishes: "a quiet room",
  book: "yes",
};
