"""English."""

from __future__ import annotations

from hermes_tui.sessions.titles.languages.language import Language

ENGLISH = Language(
    code="en",
    greetings="""
        hi|hello|hey|hiya|heya|howdy|hullo|yo|greetings|g'day there|again|hi|hello?
        hi|hello|hey|yo all|everyone|everybody|guys|folks|team|friend|friends|buddy|you
        hey|hi|hello ho|hey|hi
        good morning|afternoon|evening|day all|everyone|everybody|team|folks|there?
        morning all|everyone|everybody|team|folks|there
        dear all|everyone|team|sir|madam|sir_or_madam|sirs|support|support_team|assistant|hermes|colleagues|friend
        dear mr|mrs|ms|dr|prof|miss?
        to whom it may concern
        how are|r you|u|things|ya doing|going? today|doing_today?
        how's|hows it|everything|life|things going|been? today?
        how do you do
        what's|whats|wassup up
        i? hope you|u are|r doing? well|fine|good|okay|ok|great today?
        i? hope you're|youre doing? well|fine|good|okay|ok|great today?
        i? hope this message|email|mail|note finds you well
        i? hope all is|goes well
        i? hope ur|u|youre doing? well|good|fine|ok
        nice|pleased|good|great to meet|see you
        long time no see
        happy monday|tuesday|wednesday|thursday|friday|weekend all|everyone|team?
        welcome back
    """,
    names="hermes assistant bot claude chatgpt gpt ai agent buddy man dude mate bro friend sir madam siri alexa google",
    polite="""
        please|pls|plz|plss|pleasee kindly?
        kindly
        if you don't|dont mind
        if it's|its not too much trouble
        if you would|could be so kind
    """,
    closing="""
        thanks|thank_you|thx|ty|tnx|cheers so_much|a_lot|in_advance|very_much|again|a_bunch|a_million|man|mate|bro|
            guys?
        thanks|thank_you a lot in advance
        many thanks in_advance?
        much appreciated
        if possible
        if you can|could
        asap
        right|ok|okay|yeah|haha|lol|lmao
        have a nice|great|good day|one|weekend|evening
        appreciate it
        let me know
        any ideas|idea|thoughts|suggestions|tips
    """,
    fillers="""
        so|um|uh|uhm|umm|uhh|er|erm|hm|hmm|hmmm|ah|ahh|oh|ooh|eh|anyway|anyways|basically|btw|fyi|okay|ok|alright|
            aight
        by the way
        quick|short|small|simple|dumb|stupid|silly|noob|random question|one|q|favor|favour|request|ask
        i've|i a|another|one quick|simple|small|dumb|stupid? question|favor|favour
        i have|got|had a|another|one|some quick|simple|small|dumb|stupid|few? question|questions|favor|request
            for_you?
        just? a quick|simple|small|dumb|stupid|silly|short question|one|favor|favour|request
        i mean
        you know
        sorry|apologies to|for bother|bothering|disturb|disturbing|the? you|bother|trouble? again?
        excuse me
        pardon me
        listen up?
        long story short
        to be honest
        tbh
        thanks|thx for your|the help|reply|time
        thanks|thank_you|thx so_much|a_lot|in_advance|again? for? helping|your_help|the_help|your_time|reading|
            any_help?
        i'll get straight to the point
        first of all
        i was thinking
        i think
        i guess
        as|like i said
        real|super quick
        yeah|yep|yup|nah|nope
        need|asking|want your? help
        can you|u hear|see|read me|this
        not sure if|whether this|it is the right place|channel|chat|thread|forum to_ask|for_this?
        are you there|awake|available|free|online
        you there|around
        is|are anyone|anybody there|here|around
        can|could|may|might i ask you|u? something|a_question|a_quick_question|you_something?
        let me ask you? something|a_question|this
        it's me again?
        testing|test one_two_three
        urgent
    """,
    soft_fillers="""
        well|now|right|like|also|just|actually|look|see|yes|sure|cool|great|nice|perfect|first|maybe|perhaps|sorry
        and|but|then|next|finally|hopefully|honestly|seriously|today|currently|lately|recently|still|again|man|dude|
            bro
        at the moment
        right now
        in short
        i said
    """,
    frames="""
        can|could|would|will|cud|can't|couldn't|won't you|u|ya|yall|y'all|someone|anyone|anybody|we just|also|maybe|
            possibly|perhaps|quickly|kindly|help_to|be_able_to?
        you|u can|could
        are you able to
        would|do you mind
        would you be able|willing|kind_enough|so_kind_as to
        is|would_it_be it|there? possible for_you|for_me? to|that? you_can|you_could?
        is|are there a|any|some|an good|easy|simple|quick|better|known? way|ways|method|chance|possibility|option|
            trick i|we|you|for_me|for_us can|could|to
        is|are there a|any|some|an good|easy|simple|quick|better|known? way|ways|method|possibility|option|trick to
        is|was there a|any chance you|u could|can
        any chance|way you|u could|can
        any way|chance to
        do|does you|u|anyone|anybody|someone happen_to? know of|about|any|a|some|anything_about?
        do|does you|u|anyone|anybody|someone have a|an|any|some
        need|want you|u to
        i|we really|also|just|still|now|only|urgently|desperately|do|would? need|want|require|wanna|love|like|wish|
            prefer|gotta
        i|we need|want|wanted|wish|require you|u|to|someone|help|your_help|some_help|a_hand|assistance|you_guys to|
            with|on|in?
        i'd|we'd|id really|also|just|very_much? like|love|prefer|want|appreciate you|to|it? to|if_you_could|
            if_you_would?
        i'd|i|we would|would_like|like|love|want|need to? know|ask|hear|find_out|know_about|understand about?
        i|we would|'d really|also|just|very_much? like|love|appreciate|want|prefer it? you|to|if_you_could|
            if_you_would? to?
        i|we also? want|wanted|need|needed|like|love|have|got|gotta to
        i'm|im|we're|we|i am|are? currently|still|just|now|also|mostly|actively|desperately? trying|attempting|
            looking|planning|hoping|struggling|aiming|having_a_hard_time|having_trouble to|for|how_to
        i|we have|had|'ve been trying|attempting|looking|planning|struggling|wanting|meaning to|for|how_to
        i've|we've|ive been trying|attempting|looking|planning|struggling|wanting|meaning to|for
        i|we tried|try|keep_trying|want_to_try to
        trying|looking|hoping|planning|attempting|struggling|wanting to|for
        i|we was|were|am|'m just? wondering|curious|hoping|asking if|whether|about? you_could|you_can|you_would|
            there_is|there's
        i'm|im just? wondering|curious|hoping|asking if|whether|about? you_could|you_can|you_would
        i|we just? wonder|was_wondering|wondered about?
        i|we was|were|am just? wondering|curious|hoping about?
        wondering|curious if|whether you_could|you_can|there_is
        wondering|curious about?
        i'm|im just? wondering|curious|hoping about?
        help|assist|aid|support me|us|a_friend out|please? with|w|to|on|in|by|finding|figure_out_how_to|
            understand_how_to|learn_how_to?
        help me|us please? figure|find|work out how_to
        give|lend|gimme me|us a|some|your hand|help|assistance|advice|support with|in|on?
        i|i'd|we|we'd would? be? very? grateful|thankful|glad|happy for|about|to_get|to_have
        help with|on|out|needed|wanted|needed_with|wanted_with|in|required|required_with
        need|want|require|seeking|requesting some|your|urgent? help|advice|assistance|a_hand|input|support|guidance
            with|on|about|in|to|regarding|for
        i|we also|really|urgently|just? need|want|could_use|would_like|require some|your|urgent|a_bit_of|a_little?
            help|advice|assistance|a_hand|input|support|guidance|opinion with|on|about|in|to|regarding|for
        need|want|wanna to
        need|want a|an|some|the|my|your
        tell|inform|talk|speak to? me|us something|more|a_bit|everything|all? about
        let me know about
        give|get|show|gimme|hand|grant|offer|provide|lend me|us|me_with|us_with an|a|some|the|my|a_list_of_some?
        gimme an|a|some|the?
        make|write|create|build|draft|prepare|generate|design|compose|code|craft|produce me|us|me_up an|a|some
        make|write|create|build|draft|prepare|generate|design|compose|code|craft|produce for_me|for_us an|a|some
        lemme know|see?
        let's|lets|let_us just|also|first|now?
        it|that would|'d be great|nice|helpful|awesome|good|cool|lovely if you|we|u could|can|would
        it'd|itd be great|nice|helpful|awesome|good|cool|lovely if you|we|u could|can|would
        i|we would|'d appreciate|be_grateful|be_glad|be_happy|love|like it? if you|u could|can|would
        i'd|we'd appreciate|be_grateful|be_glad|be_happy|love|like it? if you|u could|can|would
        your|the|my task|job|mission|assignment|goal|question|request is|was to|simple?
        you should|must|need_to|have_to|are_to|will
        the goal|idea|plan|aim is to
        what|how about if_we|we|i_want|i_need
        what i|we need|want is
        someone asked me to
        my boss|manager|teacher|wife|husband|client|team asked|asks|wants|needs me|us to
        feel free to
        go ahead and?
        make sure you|to|that
        remember|note|don't_forget that|to
        be so kind and|to
        your opinion|thoughts|advice|take|view on|about
    """,
    asking="""
        tell|show|teach|explain|remind|advise|ask|instruct|inform to? me|us|you|someone? please|exactly|again|briefly?
        explain|describe to me|us
        figure|find|work|sort out
        understand|know|learn|see|find|check|determine|identify|investigate|clarify|about|wonder|debug|diagnose|ask
        any|some|no idea|ideas|clue|thoughts|advice|tips|guess|suggestions|explanation|insight about|on|for|as_to?
        do|would|did you|u|anyone|anybody know|have|understand|see any|an|a|some? idea|ideas|clue|thoughts|advice|
            explanation? about|on|for|of|as_to?
        i|we want|need|wanted|would_like|'d_like to? know|ask|understand|learn|find_out|figure_out|see about?
        i|we don't|dont|can't|cant|cannot|do_not|couldn't|didn't know|understand|see|get|figure_out|figure|find|
            remember|tell
        i'm|im|i|we not|am_not|are_not sure|certain about?
        i|we have|'ve no idea|clue
        not sure|certain about?
        can't|cannot|cant figure_out|understand|see|tell|find_out
        i'm|im|i am|be? confused|unsure|lost|stuck about|as_to|on?
        question is|was?
        my|the|one question is|was
    """,
    openers="""
        i|we just|recently|currently|already|also|still? have|had|got|bought|built|wrote|made|installed|own|run|use
            an|a|some|two|several|the?
        i've|we've|ive just|recently|also|already? got|had|bought|built|written|made|installed an|a|some?
        i've|we've|ive|i|we have? been having|getting|seeing|experiencing|facing|running_into|noticing|thinking_about|
            considering an|a|some|this|the?
        i'm|im|we're|i|we am|are? just|currently|still|also|now|always|suddenly|constantly? having|getting|seeing|
            experiencing|facing|running_into|noticing|receiving|hitting|encountering|working_on|building|writing|
            making|developing|using|planning|thinking_about|considering|preparing|learning|reading an|a|some|this|the|
            my?
        getting|seeing|having|experiencing|facing|running_into|receiving|hitting|encountering an|a|some|this|the|
            following?
        i|we keep|kept|started|start|am|was getting|seeing|having|running_into|receiving|hitting an|a|some|this|the?
        i|we get|see|receive|face|experience|encounter|notice|noticed an|a|some|this|the
        there|theres is|are|was|seems_to_be|'s? an|a|some|something|no|two|several?
        there's|there're an|a|some|something|no?
        this|that|it is|was an|a|the|about|my|for
        it's|its|that's an|a|the|about|my|for
        here is|are|'s an|a|the|my|our|some?
        here's|heres an|a|the|my|our|some?
        i'm|im|i|we|we're am|are? an|a
        thinking about|of
        planning an|a|to
        the? following|attached|below is|are an|a|the|my?
        working on an|a|the|my?
    """,
    telling="as i i'm im i've ive i'd we we're we've my our there there's this here here's it it's its he she they you "
    "yesterday today recently currently lately background context given since after for in at so as currently right "
    "using attached below above the_following following me your",
    orders="add adjust advise analyse analyze answer apply arrange ask audit automate benchmark book build calculate "
    "calendar call cancel change check choose clean clear clone close code collect combine come commit compare compile "
    "complete compose compress compute configure connect convert copy correct count cover craft create debug decide "
    "decode define delete deploy describe design detect develop diagnose disable discuss do document download draft "
    "draw edit email enable encrypt estimate evaluate execute explain explore export extend extract fetch figure file "
    "fill filter find finish fix format gather generate get give go grade group guess guide help hide identify "
    "implement import improve include increase inspect install integrate interpret introduce invent invert "
    "investigate join keep launch learn list load log look lower make map mark measure merge message migrate mock "
    "modify monitor move name normalize note open optimise optimize order organise organize outline paint paraphrase "
    "parse patch pick pin plan play plot polish post practice practise predict prepare print profile proofread "
    "propose prove publish pull push put query quote raise rank rate read rebase rebuild recommend record reduce "
    "refactor release reload remind remove rename repair repeat replace reply report research reserve reset resize "
    "resolve respond restart restore review revert revise rewrite roll rotate run save scan schedule scrape search "
    "select send separate set setup share shorten show shut tailor simplify simulate sketch solve sort speed split "
    "start "
    "stop store study style subscribe suggest sum summarise summarize swap switch sync take teach tell test "
    "throw tidy track train transcribe transform translate troubleshoot try turn undo uninstall unsubscribe update "
    "upgrade upload use validate verify view visit visualize watch wrap write",
    making="""
        write|make|create|build|draft|prepare|generate|design|compose|code|craft|produce|develop|give|provide|set_up|
            implement me|us? an|a|some
        give|show|get|send|provide me|us the|my|some?
        show|tell me|us
        find|recommend|suggest me|us
        compare
        describe|explain the|a|an|what|how|why
        i|we can't|cannot|cant|could_not|couldn't
        i|we
    """,
    roles="""
        as|like an|a
        act|behave|respond|answer|pretend like|as|to_be an|a|my?
        you are|will_act_as|will_be an|a|my|the
        you're|youre an|a|my|the
        imagine|pretend that? you|you're are|were? an|a?
    """,
    small="""
        me|us please? up|out?
    """,
    questions="what what's whats why why's how how's when when's where where's which who who's whom whose is are am "
    "was "
    "were do does did can could should would will may shall has have isn't aren't doesn't don't didn't can't "
    "couldn't won't wouldn't shouldn't",
    asides="""
        how do|can|could|would|should|might|does|shall|did i|we|you|one|someone|people best|properly|correctly|safely|
            quickly|easily|actually|go_about?
        how to
        what|what's|whats is|are|r|was|would_be|were? the
        what|what's|whats is|are|would_be|were? a|an|some|my|your
        what|which|who are|is|'s some|your|good?
        should|can|could|shall|may|must i|we
        does|do|did|will|would
        if|whether it's|it_is
        check|see|verify|determine|confirm|test if|whether|that
        do|does|did i|we have|need to
        why does|do|is|are|did|has|have|would|was my|our|the
        what|how should|do|can|could i|we consider|know|pay_attention|look_for|watch_out when|about|for|to
    """,
    toward="to",
    objects="it them this that these those",
    labels="question task subject title re fwd fw aw topic issue problem request todo bug feature goal context "
    "background tldr tl;dr ps note update edit prompt message instruction instructions help objective hint reminder "
    "overview requirements requirement introduction intro summary description request user",
    refers="it them this these those",
    articles="a an the",
    leading="a an the my our some any these",
    possessives="my your our their its his",
    skipped="a an the my our your just really actually also very please currently simply properly",
    prepositions="about above across after against along among around at before behind below beneath beside besides "
    "beyond by despite down during for from in inside like near off on onto out outside over per past "
    "regarding round through throughout toward towards under underneath up upon using via with w within without "
    "versus vs vs. concerning instead",
    tight="of to than as into",
    since="from between",
    until="to until",
    pairing="between both compare",
    choosing="or versus vs",
    joining="and or & nor versus vs",
    clauses="because when while if whether since so but although though unless until till once after before "
    "whereas however therefore otherwise then yet",
    half="when where",
    relatives="that which who whose whom where why how what",
    subjects="i i'm i've i'd i'll we we're we've he he's she she's they they're you you're it's there there's that's "
    "im ive theyre",
    pronouns="it",
    auxiliaries="is are am was were be been being do does did has have had can could should would will may might must "
    "shall stopped started begins began wants needs loves likes says goes turns isn't aren't wasn't weren't don't "
    "doesn't didn't hasn't haven't "
    "can't couldn't shouldn't won't wouldn't "
    "cannot gets got get getting keeps keep seems seem let lets makes",
    adverbs="very so too not also just really quite rather only even more most less least much many few every each all "
    "any some no both either neither such another other own same this these those almost nearly exactly new current "
    "whole entire certain several various different further always never often currently me us",
    particles="him her them it that here there now myself itself one ones well yes no ok please thanks thank hi "
    "hello anyone someone something anything everything nothing else still already",
    generic="help helping error errors problem problems issue issues question questions code thing things stuff way "
    "fix fixed fixing solve solved work works working worked wrong idea ideas thought thoughts tip tips advice "
    "suggestion suggestions following attached below above mean means meant happen happens happened happening know "
    "knows understand tell say says said see sees saw look looks looking need needs want wants try tried trying think "
    "explain show give gives get gets make made doing done go goes going start started file files log logs output "
    "text message example please dear hope pasted paste screenshot trace stack traceback link url check possible "
    "favor asap quick ask asking bit lot kind sort time today again more same result first next last details info "
    "information matter point case reason urgent urgently test testing start suggestion recommend suggest advise "
    "explanation whats good great nice best better please appreciated context use using running run ran deal handle "
    "interpret thing's someone's guys everybody everyone",
    phrasal="up off out down away back",
    joined="log_in sign_in logs_in logged_in plug_in turn_on turn_off log_out sign_up set_up look_up back_up "
    "based_on depends_on work_on rely_on",
    trouble="fail fails failed failing failure broken breaks broke crash crashes crashed crashing crashloop hang hangs "
    "hanging freezes frozen freezing stuck slow slower down error errors exception exceptions bug bugs leak leaks "
    "leaking wrong missing lost corrupt corrupted denied refused timeout timeouts unreachable unresponsive hurts hurt "
    "pain ache aches sick sore swollen bleeding leaking smells noise noisy stopped won't can't doesn't isn't cannot "
    "don't didn't wouldn't couldn't aren't drops dropping dropped disappears disappeared vanished invalid rejected "
    "blocked stolen overheating overheats loses losing reboots restarts flickers stutters undefined nan 404 500 502 "
    "503 137 oom expired overdue dead dies died dying problem issue trouble unable",
)
